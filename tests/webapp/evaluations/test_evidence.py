"""Which of an agent's own lines a fault came from: read from what the interface really prints."""

from pathlib import Path
from typing import Any

import pytest

from firebox.faults import explain
from firebox.sources import compile_modules
from webapp.evaluations.evidence import OwnLine, own_line

HELPER = (
    "def go():\n    try:\n        return {}['R6']\n    except KeyError:\n        return 1 / 0\n"
)


def printed(folder: Path, capfd: pytest.CaptureFixture[str]) -> str:
    """What the interface says of an agent whose helper module divides by zero."""
    folder.joinpath("agent.py").write_text(
        "import helper\n\n\ndef act():\n    return helper.go()\n"
    )
    folder.joinpath("helper.py").write_text(HELPER)
    modules = compile_modules(folder)
    helper: dict[str, Any] = {}
    exec(modules["helper"][0], helper)  # noqa: S102 - the agent of this test
    try:
        helper["go"]()
    except ZeroDivisionError as error:
        explain(error, "turn 4", modules, str(folder))
    return capfd.readouterr().err


def test_it_is_the_innermost_line_of_the_last_exception(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stderr = printed(tmp_path, capfd)
    assert own_line(stderr) == OwnLine("helper.py", 5, "go", "return 1 / 0")


def test_what_the_agent_printed_before_is_no_explanation(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = 'Traceback:\n  File "agent.py", line 99, in act\n    caught()\n'
    assert own_line(noise) is None
    assert own_line(noise + printed(tmp_path, capfd)) == OwnLine(
        "helper.py", 5, "go", "return 1 / 0"
    )


def test_an_agent_whose_time_was_over_is_told_where_it_was() -> None:
    stderr = (
        "The agent's time was over during turn 4. It was here (innermost call last):\n"
        '  File "agent.py", line 8, in act\n    self.search()\n'
        '  File "agent.py", line 20, in search\n'
    )
    assert own_line(stderr) == OwnLine("agent.py", 20, "search", "")


def test_without_a_line_there_is_none() -> None:
    assert own_line("") is None
    assert own_line("The agent failed during loading.\nagent.py defines no agent\n") is None
