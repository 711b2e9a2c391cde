"""The agents that a command names."""

import os
import zipfile
from pathlib import Path

import pytest

from grader import house
from grader.cli.agents import Written, load, load_all, seat_agents
from grader.cli.exits import UsageError
from grader.core.errors import UploadRejected
from grader.interfaces.starter_kit import write_starter_kit
from grader.uploads.archive import read_archive
from tests.support.every import every

SOURCE = "class Agent:\n    pass\n"
MINE = "class Mine:\n    def getAction(self, state):\n        pass\n"
PLAYER = "class Player {\n};\n"


def names(agent: str | Path) -> list[str]:
    return [file.name for file in read_archive(load(str(agent)).archive).files]


def test_a_zip_is_unpacked_without_its_only_top_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("mine/agent.py", SOURCE)
        archive.writestr("mine/tools.py", "")
    assert names(tmp_path / "mine.zip") == ["agent.py", "tools.py"]


def test_files_that_tools_leave_behind_are_not_packed(tmp_path: Path) -> None:
    for name in ("agent.py", "lib/a.py", ".git/config", "venv/x.py", "__pycache__/a.pyc", ".env"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SOURCE)
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    assert names(tmp_path) == ["agent.py", "lib/a.py"]


def test_files_that_no_agent_reads_do_not_count_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(SOURCE)
    (tmp_path / "agent.class").write_bytes(os.urandom(2 << 20))
    with (tmp_path / "report.pdf").open("wb") as file:
        file.truncate(1 << 40)
    assert load(str(tmp_path)).notes == (
        "not used: 'report.pdf'; no agent reads documents, media or compiled programs",
    )
    assert names(tmp_path) == ["agent.py"]


def test_a_file_whose_name_is_no_text_is_left_out_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(SOURCE)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).touch()
    (note,) = load(str(tmp_path)).notes
    assert r"caf\\udce9.txt" in note
    assert names(tmp_path) == ["agent.py"]


def test_file_zip_and_folder_of_equal_sources_are_one_agent(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/agent.py").write_text(SOURCE)
    (tmp_path / "mine.py").write_text(SOURCE)
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("agent.py", SOURCE)
    refs = {load(str(tmp_path / name)).ref for name in ("folder", "mine.py", "mine.zip")}
    assert len(refs) == 1


@every("name", house.family("hanabi").names)
def test_every_house_agent_is_found_by_its_name(name: str) -> None:
    assert "agent.py" in names(f"house:{name}")


def test_a_strategy_of_the_paper_is_a_house_agent_of_its_own_interface() -> None:
    assert load("house:cs221/state_guess").ref.interface == "cs221-python"


@pytest.mark.slow
def test_a_huge_folder_is_not_read(tmp_path: Path) -> None:
    for number in range(2001):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(UploadRejected, match="more than 2000 files"):
        load(str(tmp_path))


TERABYTE = 1 << 40


@pytest.mark.parametrize(
    ("files", "named", "agent_class", "reason"),
    [
        (
            {"agent.py": SOURCE, "games.csv": TERABYTE},
            ".",
            "",
            r"'games\.csv' \(1,099,511,627,776 b",
        ),
        ({"player.py": SOURCE}, ".", "", r"There is no agent\.py"),
        ({"agent.py": TERABYTE}, "agent.py", "", "at most 1048576 are allowed"),
        ({"agent.rb": "puts 1"}, "agent.rb", "", r"no source file of an agent.*\.java"),
        ({"m.py": MINE}, "m.py", "no name", "is not the name of a class"),
        ({"m.py": MINE}, "m.py", "x" * 200, "is not the name of a class"),
        ({"m.py": MINE}, "m.py", "../a", "is not the name of a class"),
        ({"Player.h": PLAYER}, "Player.h", "Player", "not the upload that names a class"),
    ],
)
def test_an_agent_that_the_site_would_refuse_is_refused_before_it_is_read(
    tmp_path: Path, files: dict[str, str | int], named: str, agent_class: str, reason: str
) -> None:
    for name, content in files.items():
        with (tmp_path / name).open("w") as file:
            file.truncate(content) if isinstance(content, int) else file.write(content)
    with pytest.raises(UploadRejected, match=reason):
        load(str(tmp_path / named), Written(agent_class=agent_class))


def test_one_agent_takes_all_seats(tmp_path: Path) -> None:
    table = seat_agents(load_all(["house:iggi"]), 4)
    assert (len(table.programs), table.seating, table.names) == (1, (0, 0, 0, 0), "house:iggi")


def test_equal_agents_share_a_program() -> None:
    table = seat_agents(load_all(["house:iggi", "house:piers", "house:iggi"]), 3)
    assert (len(table.programs), table.seating) == (2, (0, 1, 0))
    assert table.names == "house:iggi, house:piers, house:iggi"


INTERFACES = {
    "python": ("mine.py", "import firebox\n\nclass Agent(firebox.Agent):\n    pass\n"),
    "uwa-java": ("Agent12345678.java", "package agents;\nimport hanabAI.*;\n"),
    "gcc-cpp": ("Player.h", PLAYER),
    "ensta-python": ("robot.py", "class Robot(AI):\n    def play(self):\n        return 'd1'\n"),
    "cs221-python": ("mine.py", MINE),
}


def written(interface: str, folder: Path) -> str:
    name, source = INTERFACES[interface]
    (folder / name).write_text(source)
    return str(folder / name)


@pytest.mark.parametrize("interface", INTERFACES)
def test_the_interface_is_recognised_from_the_sources(interface: str, tmp_path: Path) -> None:
    assert load(written(interface, tmp_path)).ref.interface == interface


def test_sources_that_match_two_interfaces_are_a_question(tmp_path: Path) -> None:
    source = INTERFACES["python"][1] + INTERFACES["cs221-python"][1]
    (tmp_path / "agent.py").write_text(source)
    with pytest.raises(UploadRejected, match=r"not clear what this is .* Choose the int"):
        load(str(tmp_path / "agent.py"))
    chosen = load(str(tmp_path / "agent.py"), Written(interface="cs221-python"))
    assert chosen.ref.interface == "cs221-python"


def test_an_option_goes_to_the_interface_that_has_it(tmp_path: Path) -> None:
    old = Written(options=("legacy_first_state",))
    java, python = load_all([written("uwa-java", tmp_path), "house:iggi"], old)
    assert (java.ref.options, python.ref.options) == (("legacy_first_state",), ())


def test_an_option_of_no_agent_is_refused() -> None:
    with pytest.raises(UsageError, match="these agents' interfaces have no such option"):
        load_all(["house:iggi"], Written(options=("legacy_first_state",)))


def test_the_class_that_plays_is_part_of_the_agent(tmp_path: Path) -> None:
    path = written("cs221-python", tmp_path)
    chosen = load(path, Written(agent_class="Mine"))
    files = {file.name: file.data for file in read_archive(chosen.archive).files}
    assert files["firebox.json"] == b'{"class": "Mine"}'
    assert chosen.ref != load(path).ref


def test_files_of_the_kit_that_nobody_changed_are_known(tmp_path: Path) -> None:
    write_starter_kit(tmp_path, "hanabi", {"variant": "uwa"}, library=True, interface="uwa-java")
    (tmp_path / "hanabAI" / "Card.java").write_text("package hanabAI; class Card {}")
    ours = load(str(tmp_path)).ours
    assert {"hanabAI/State.java", "hanabAI/Colour.java"} <= ours
    assert "hanabAI/Card.java" not in ours


def test_a_house_agent_is_found_by_the_name_that_pages_show() -> None:
    with pytest.raises(UsageError, match="did you mean house:convention_1"):
        load("house:Connie")
