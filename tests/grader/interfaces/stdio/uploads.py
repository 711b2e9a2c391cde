"""Programs that speak the protocol by themselves, as they are uploaded, and games of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grader.core.games import GAMES, folder_of
from grader.core.records import (
    AgentLimits,
    BatchRequest,
    BuildMessage,
    Fault,
    GameResult,
)
from grader.interfaces import interface_named
from grader.play.batch import Batch, open_batch
from grader.uploads.archive import read_upload
from tests.grader.interfaces.outcomes import games_of
from tests.support.agents import practice_request
from tests.support.slots import confined

FILES: Final = {
    "stdio-python": "main.py",
    "stdio-cpp": "main.cpp",
    "stdio-java": "Main.java",
}


def kit_program(interface: str, game: str) -> Path:
    folder = interface_named(interface).folder
    own = folder_of(GAMES[game]) / "starter" / folder.name / FILES[interface]
    return own if own.exists() else folder / "starter" / FILES[interface]


EXAMPLE: Final = {interface: kit_program(interface, "hanabi") for interface in FILES}
"""That of the first game, by interface."""

LIMITS: Final = AgentLimits(turn_seconds=1.0, turn_wall_seconds=3.0, start_seconds=2.0)


def example(interface: str, game: str = "hanabi") -> bytes:
    path = kit_program(interface, game)
    shape = interface_named(interface).upload
    return read_upload(path.name, path.read_bytes(), shape).archive()


def request_for(
    interface: str, games: int, *, players: int = 2, game: str = "hanabi"
) -> BatchRequest:
    """Ask for games on the practice deals, which no faults stop."""
    return practice_request([interface], range(games), game=game, limits=LIMITS, players=players)


@contextmanager
def opened(
    interface: str, upload: bytes, games: int = 1, players: int = 2, game: str = "hanabi"
) -> Iterator[Batch]:
    request = request_for(interface, games, players=players, game=game)
    with open_batch(request, [upload], confined()) as batch:
        yield batch


def played(
    interface: str, upload: bytes, games: int = 1, players: int = 2, game: str = "hanabi"
) -> list[GameResult]:
    with opened(interface, upload, games, players, game) as batch:
        return games_of(batch)


def faulted(interface: str, upload: bytes) -> tuple[Fault, str]:
    """The fault that every game ends with, and what was said on standard error.

    A second game is played, because the first may leave something behind.
    """
    return same_fault(played(interface, upload, games=2))


def same_fault(results: Sequence[GameResult]) -> tuple[Fault, str]:
    """The fault that all these games end with, and what was said on standard error."""
    faults = [result.record.fault for result in results]
    assert faults[0] is not None, results[0].record
    assert {fault and fault.kind for fault in faults} == {faults[0].kind}
    assert results[0].evidence is not None
    return faults[0], results[0].evidence.stderr


def refused(interface: str, upload: bytes) -> Sequence[BuildMessage]:
    with opened(interface, upload) as batch:
        assert not batch.playable
        return batch.builds[0].messages


def faults(results: Sequence[GameResult]) -> list[str]:
    return [
        f"{result.record.fault}\n{result.evidence.stderr if result.evidence else ''}"
        for result in results
        if result.record.fault is not None
    ]
