"""Agents as students of these courses write them, uploaded as they are.

They are long, careless and full of habits, and nothing in them knows of Firebox: what one of them
needs and does not find is an adapter's fault. Of the scores only that they are a player's.
"""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import pytest

from grader.core.games import game_from_options
from grader.core.records import AgentLimits, GameResult, Mode
from grader.interfaces import INTERFACES, Interface, interface_named
from grader.interfaces.recognise import recognise
from grader.play.batch import open_batch
from grader.results.evaluation import EvaluationSpec
from grader.uploads.archive import Sources
from tests.support.agents import practice_request
from tests.support.depth import deeper
from tests.support.slots import confined

HERE: Final = Path(__file__).parent
GAMES: Final = deeper(16, deep=100)
GAMES_OF: Final = {"uwa_java/students/project": deeper(4, deep=100)}
"""Those of an agent that searches for as long as it may."""
TOLERANCE: Final = deeper(1.5, deep=0.0)
"""How far the mean of these games may lie beyond those of a hundred."""

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]


class Student(NamedTuple):
    """A student's upload."""

    path: str
    interface: str
    players: int
    between: tuple[float, float]
    """Means of a hundred games; far apart, for some of them draw at random."""
    mode: Mode | None = None


STUDENTS: Final = (
    Student("uwa_java/students/Agent21500123.java", "uwa-java", 2, (15, 18)),
    Student("uwa_java/students/project", "uwa-java", 2, (3, 15)),
    Student("gcc_cpp/students/several", "gcc-cpp", 2, (15, 18)),
    Student("gcc_cpp/students/single/Player.h", "gcc-cpp", 2, (14, 17)),
    Student("ensta/students/recommandation.py", "ensta-python", 5, (21, 24)),
    Student("ensta/students/numpy_weights.py", "ensta-python", 2, (0, 1)),
    Student("ensta/students/robot_deductif.py", "ensta-python", 2, (17, 19)),
    Student("ensta/students/robot_deductif.py", "ensta-python", 3, (16, 19), Mode.SEAT),
    Student("cs221/students/smartAgents.py", "cs221-python", 3, (16, 19)),
    Student("cs221/students/convention_agent.py", "cs221-python", 3, (14, 17)),
)


def uploaded(path: Path) -> tuple[Interface, Sources]:
    """The site's reading of a file or a zipped folder, for any course."""
    name, data = path.name, b""
    if path.is_dir():
        name, packed = f"{path.name}.zip", io.BytesIO()
        with zipfile.ZipFile(packed, "w") as target:
            for file in sorted(path.rglob("*.*")):
                target.write(file, file.relative_to(path.parent))
        data = packed.getvalue()
    else:
        data = path.read_bytes()
    return recognise(name, data, list(INTERFACES))


def played(student: Student, sources: Sources, games: int) -> list[GameResult]:
    variant = interface_named(student.interface).rules.variant
    options: Mapping[str, Any] = {"variant": variant, "players": student.players}
    spec = EvaluationSpec(
        game="hanabi",
        options=dict(game_from_options("hanabi", options).options),
        limits=AgentLimits(),
        seating=(0,) * student.players,
        n_games=games,
        max_consecutive_faults=0,
        mode=student.mode,
    )
    request = practice_request(spec, [student.interface], range(games))
    with open_batch(request, [sources.archive()], confined()) as batch:
        assert batch.playable, batch.builds
        return list(batch.games())


@pytest.mark.parametrize(
    "student", STUDENTS, ids=[f"{each.path}-{each.players}" for each in STUDENTS]
)
def test_agents_of_students_play_unmodified(student: Student) -> None:
    interface, sources = uploaded(HERE / student.path)
    assert interface.name == student.interface
    games = GAMES_OF.get(student.path, GAMES)
    results = played(student, sources, games)
    faults = [(each.record.fault, each.evidence) for each in results if each.record.fault]
    assert faults == []
    low, high = student.between
    mean = fmean(result.record.scores[0] for result in results)
    print(f"{student.path}, {student.players} players: mean {mean:.2f}")
    assert len(results) == games
    assert low - TOLERANCE < mean < high + TOLERANCE


def test_a_careful_program_does_without_that_library() -> None:
    text = (HERE / "ensta/students/robot_deductif.py").read_text()
    assert "except ImportError" in text


def test_every_upload_of_a_student_is_played() -> None:
    present = {path.relative_to(HERE).as_posix() for path in HERE.glob("*/students/*")}
    used = {student.path.replace("single/Player.h", "single") for student in STUDENTS}
    assert present == used


def test_interfaces_are_told_apart_by_their_sources() -> None:
    for folder, name in (
        ("uwa_java", "uwa-java"),
        ("gcc_cpp", "gcc-cpp"),
        ("ensta_python", "ensta-python"),
        ("cs221_python", "cs221-python"),
        ("cs221_python_2", "cs221-python"),
        ("python", "python"),
    ):
        interface, _ = uploaded(next((HERE / "conformance" / "agents" / folder).glob("*.*")))
        assert interface.name == name
