"""Plays agents of this interface in real sandboxes, and says what came of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from grader.core.records import BuildReport, Fault, GameResult
from grader.play.batch import Batch, open_batch
from tests.grader.interfaces.gcc_cpp.uploads import request_for
from tests.grader.interfaces.outcomes import fault_of, games_of, refusal_of
from tests.support.slots import confined

SLOT: Final = confined()


@contextmanager
def opened(upload: bytes, games: int = 1) -> Iterator[Batch]:
    with open_batch(request_for(range(games)), [upload], SLOT) as batch:
        yield batch


def played(upload: bytes, games: int = 1) -> list[GameResult]:
    with opened(upload, games) as batch:
        return games_of(batch)


def faulted(upload: bytes) -> tuple[Fault, str]:
    (result,) = played(upload)
    return fault_of(result)


def refused(upload: bytes) -> BuildReport:
    with opened(upload) as batch:
        return refusal_of(batch)
