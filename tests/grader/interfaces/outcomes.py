"""The outcome of a batch that was opened for a test: its games, its fault, or its refusal."""

from collections.abc import Sequence

from grader.core.records import BatchRequest, BuildMessage, BuildReport, Fault, GameResult
from grader.play.batch import Batch, open_batch
from grader.play.slot import Slot
from tests.support.slots import confined


def played(
    request: BatchRequest, uploads: Sequence[bytes], slot: Slot | None = None
) -> list[GameResult]:
    with open_batch(request, uploads, slot or confined()) as batch:
        return games_of(batch)


def games_of(batch: Batch) -> list[GameResult]:
    assert batch.playable, batch.builds
    return list(batch.games())


def fault_of(result: GameResult) -> tuple[Fault, str]:
    assert result.record.fault is not None
    assert result.evidence is not None
    return result.record.fault, result.evidence.stderr


def refusal_of(batch: Batch) -> BuildReport:
    assert not batch.playable
    assert list(batch.games()) == []
    return batch.builds[0]


def only(report: BuildReport) -> BuildMessage:
    (message,) = report.messages
    return message
