"""Agents of every interface, as teams upload them: for tournaments in which all of them meet."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from django.db import transaction

from grader.interfaces.starter_kit import starter_files
from tests.support import tournaments
from tests.support.world import World
from tests.support.zips import zipped
from webapp.flow.pipeline import accept_from
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.submissions.models import Submission, SubmissionStatus

_TESTS: Final = Path(__file__).parents[1] / "grader" / "interfaces"

LAST: Final = """from firebox import Agent


class Mine(Agent):
    def act(self, observation):
        return observation.legal_actions[-1]
"""
_CHOICE: Final = "return observation.legal_actions[-1]"
CRASHES: Final = LAST.replace(_CHOICE, "raise ValueError('on purpose')")
LOOPS: Final = LAST.replace(_CHOICE, "while True: pass")


def _computing(seconds: float) -> str:
    end = f"end = time.process_time() + {seconds}"
    return _first(f"{end}\n        while time.process_time() < end: pass")


def _pausing(seconds: float) -> str:
    return _first(f"time.sleep({seconds})")


def _first(statements: str) -> str:
    return "import time\n" + LAST.replace(_CHOICE, f"{statements}\n        {_CHOICE}")


class Upload(NamedTuple):
    """A team's agent."""

    team: str
    interface: str
    filename: str
    data: bytes


def _kit(team: str, interface: str, filename: str, game: str = "hanabi") -> Upload:
    files = starter_files(game, interface=interface)
    name = next(name for name in files if name.endswith(filename))
    return Upload(team, interface, filename, files[name])


def _own(team: str, interface: str, path: str) -> Upload:
    file = _TESTS / path
    return Upload(team, interface, file.name, file.read_bytes())


def _together(team: str, interface: str, *paths: str) -> Upload:
    """Several files of ours, as a zip."""
    packed = zipped(*((Path(path).name, (_TESTS / path).read_bytes()) for path in paths))
    return Upload(team, interface, "agent.zip", packed)


def of_firebox(game: str = "hanabi") -> tuple[Upload, ...]:
    """Written for Firebox's own class and protocol, which play by any rules."""
    return (
        _kit("Kit", "python", "agent.py", game),
        Upload("Last", "python", "agent.py", LAST.encode()),
        _kit("Script", "stdio-python", "main.py", game),
        _kit("Native", "stdio-cpp", "main.cpp", game),
        _kit("Virtual", "stdio-java", "Main.java", game),
    )


def faulty() -> tuple[Upload, ...]:
    """One that crashes, one that loops, one that is 1.2 s late at every turn."""
    return (
        Upload("Crash", "python", "agent.py", CRASHES.encode()),
        Upload("Loop", "python", "agent.py", LOOPS.encode()),
        Upload("Late", "python", "agent.py", _computing(1.2).encode()),
    )


def unhurried() -> tuple[Upload, ...]:
    """Two that sleep 30 ms at every turn: a game of theirs takes a second at least."""
    source = _pausing(0.03).encode()
    return tuple(Upload(team, "python", "agent.py", source) for team in ("Calm", "Slow"))


def of_java() -> tuple[Upload, ...]:
    """For the variant ``uwa``."""
    folder = "uwa_java/agents"
    return (
        _kit("Jkit", "uwa-java", "Agent12345678.java"),
        _own("Sense", "uwa-java", "conformance/agents/uwa_java/Agent20000001.java"),
        _own("Student", "uwa-java", "uwa_java/students/Agent21500123.java"),
        *(
            _together(f"Java{path.stem[-1]}", "uwa-java", str(path), f"{folder}/Check.java")
            for path in sorted((_TESTS / folder).glob("Agent*.java"))
        ),
    )


def of_course(interface: str) -> tuple[Upload, ...]:
    """Those of another course in Hanabi: its starter kit, and the one of the conformance suite."""
    kit, own = {
        "gcc-cpp": ("Player.h", "gcc_cpp/Player.h"),
        "ensta-python": ("robot.py", "ensta_python/plain_sense.py"),
        "cs221-python": ("player.py", "cs221_python/plain_sense.py"),
    }[interface]
    return (
        _kit("Course", interface, kit),
        _own("Sense", interface, f"conformance/agents/{own}"),
    )


def of_haskell() -> tuple[Upload, ...]:
    """For Hearts."""
    return (
        _kit("Course", "fit2102-haskell", "Player.hs", "hearts"),
        _own("Lowest", "fit2102-haskell", "fit2102/agents/lowest/Player.hs"),
    )


@transaction.atomic
def enter(world: World, uploads: Sequence[Upload]) -> list[Submission]:
    """A team for each, whose agent is taken as tested: the tournament is to find out what it does.

    Nothing was sent to any grader when it returns.
    """
    entered = list(_entered(world, uploads))
    Evaluation.objects.update(status=Status.CANCELLED)
    Job.objects.update(status=JobStatus.CANCELLED)
    Submission.objects.update(status=SubmissionStatus.READY)
    return entered


def _entered(world: World, uploads: Sequence[Upload]) -> Iterator[Submission]:
    for upload in uploads:
        yield accept_from(
            user=tournaments.student(world.course, f"{upload.team} Doe"),
            assignment=world.assignment,
            filename=upload.filename,
            data=upload.data,
            interface=upload.interface,
        )
