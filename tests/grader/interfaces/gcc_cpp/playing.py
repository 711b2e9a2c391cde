"""Plays agents of this interface in real sandboxes, and says what came of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from grader.records import BuildMessage, BuildReport, Fault, GameResult
from grader.runner import Batch, open_batch
from tests.grader.interfaces.gcc_cpp.uploads import request_for
from tests.support.slots import confined

SLOT: Final = confined()


@contextmanager
def opened(upload: bytes, games: int = 1) -> Iterator[Batch]:
    """The batch before its first game."""
    with open_batch(request_for(range(games)), [upload], SLOT) as batch:
        yield batch


def played(upload: bytes, games: int = 1) -> list[GameResult]:
    """The games of an agent that compiles."""
    with opened(upload, games) as batch:
        assert batch.playable, batch.builds
        return list(batch.games())


def faulted(upload: bytes) -> tuple[Fault, str]:
    """The fault of the first game, and what was said on standard error."""
    (result,) = played(upload)
    return fault_of(result)


def fault_of(result: GameResult) -> tuple[Fault, str]:
    """The fault of a game, and what was said on standard error."""
    assert result.record.fault is not None
    assert result.evidence is not None
    return result.record.fault, result.evidence.stderr


def refused(upload: bytes) -> BuildReport:
    """The report of an agent that does not compile."""
    with opened(upload) as batch:
        assert not batch.playable
        assert list(batch.games()) == []
        return batch.builds[0]


def only(report: BuildReport) -> BuildMessage:
    """Its one message."""
    (message,) = report.messages
    return message
