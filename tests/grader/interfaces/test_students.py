"""Agents as students of these courses write them, uploaded as they are.

They are long, careless and full of habits, and nothing in them knows of Firebox: what one of them
needs and does not find is an adapter's fault. Of the scores only that they are a player's.
"""

import io
import zipfile
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

import pytest

from grader.core.records import Mode
from grader.interfaces import INTERFACES, Interface
from grader.interfaces.recognise import recognise
from grader.uploads.archive import Sources
from tests.grader.interfaces.outcomes import played
from tests.support.agents import practice_request
from tests.support.depth import deeper

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


@pytest.mark.parametrize(
    "student", STUDENTS, ids=[f"{each.path}-{each.players}" for each in STUDENTS]
)
def test_agents_of_students_play_unmodified(student: Student) -> None:
    interface, sources = uploaded(HERE / student.path)
    assert interface.name == student.interface
    games = GAMES_OF.get(student.path, GAMES)
    request = practice_request(
        [student.interface], range(games), mode=student.mode, players=student.players
    )
    results = played(request, [sources.archive()])
    faults = [(each.record.fault, each.evidence) for each in results if each.record.fault]
    assert faults == []
    low, high = student.between
    mean = fmean(result.record.scores[0] for result in results)
    print(f"{student.path}, {student.players} players: mean {mean:.2f}")
    assert len(results) == games
    assert low - TOLERANCE < mean < high + TOLERANCE


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
