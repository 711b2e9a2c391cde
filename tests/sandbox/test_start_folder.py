"""The folder in which an agent's processes start: there its data are found by relative path."""

from pathlib import Path

import pytest

from sandbox.directory import start_folder


@pytest.mark.parametrize(
    ("names", "folder"),
    [
        (["agent.py", "weights.txt"], ""),
        (["agent.py", "data/weights.csv"], ""),
        (["project/robot.py", "project/weights.txt"], "project"),
        (["project/robot.py", "project/data/weights.csv"], "project"),
        (["project/ai/robot.py", "project/weights.txt"], "project"),
        (["project/ai/robot.py", "project/ai/weights.txt", "project/main.py"], "project"),
        (["README.md", "project/robot.py", "project/weights.txt"], "project"),
        (["src/agents/Mine.java", "src/agents/table.csv"], "src"),
        (["src/agents/Mine.java", "src/Main.java", "data/table.csv"], ""),
        (["src/agents/Mine.java"], "src"),
        (["bot/Mine.java", "bot/table.csv"], "bot"),
        (["firebox.json", "project/Mine.py"], "project"),
        (["weights.txt"], ""),
        ([], ""),
    ],
)
def test_it_is_the_folder_from_which_the_program_was_run(
    names: list[str], folder: str, tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("package agents;\n")
    assert start_folder(tmp_path) == folder
