"""Forged reports of a writer to the broker change nothing."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from grader.core.errors import RecordError
from grader.core.records import GameResult
from grader.results.receipt import check_result
from tests.grader.played import really_played
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.evaluations.test_recording import batch
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.gradebook.models import Grade
from webapp.grading.jobs import recording
from webapp.grading.jobs.models import Job

__all__ = ["batch"]  # a fixture


@pytest.fixture(autouse=True)
def _doubted(graded: Evaluation, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on reports are checked, as the site does."""
    monkeypatch.setattr(recording, "check_result", check_result)


def test_games_that_were_played_are_taken_in(graded: Evaluation, batch: Job) -> None:
    record_batch(fakes.report(batch, results=really_played(request_of(batch))))
    graded.refresh_from_db()
    assert graded.status == Status.FINISHED
    assert Grade.objects.get().evaluation == graded


@pytest.mark.parametrize("points", [25, 1_000_000])
def test_a_score_that_no_actions_lead_to_is_refused(
    graded: Evaluation, batch: Job, points: int
) -> None:
    forged = list(fakes.played(request_of(batch), lambda _: points))
    with pytest.raises(RecordError, match="game 0: "):
        record_batch(fakes.report(batch, results=forged))
    graded.refresh_from_db()
    assert (graded.status, graded.games_done) == (Status.QUEUED, 0)
    assert not Grade.objects.exists()


def test_one_forged_game_has_the_whole_report_refused(graded: Evaluation, batch: Job) -> None:
    results = really_played(request_of(batch))
    results[7] = replace(results[7], record=replace(results[7].record, scores=(25, 25)))
    with pytest.raises(RecordError, match="game 7: "):
        record_batch(fakes.report(batch, results=results))
    assert not graded.results.exists()


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The indices of the games that are played again."""
    indices: list[int] = []

    def note(result: GameResult) -> None:
        indices.append(result.index)
        check_result(result)

    monkeypatch.setattr(recording, "check_result", note)
    return indices


def test_a_game_is_replayed_once_however_often_it_is_reported(
    graded: Evaluation, batch: Job, replayed: list[int]
) -> None:
    results = really_played(request_of(batch))
    for _ in range(3):
        record_batch(fakes.report(batch, results=results[:4]))
    assert replayed == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("indices", "refusal"),
    [([0] * 1000, "twice"), ([1, 0], "another deal"), ([10_000], "")],
    ids=["a game twice", "games of another deal", "a game that nobody requested"],
)
def test_games_that_cannot_count_are_not_replayed(
    indices: list[int], refusal: str, graded: Evaluation, batch: Job, replayed: list[int]
) -> None:
    results = really_played(request_of(batch))
    games = results[:2] if len(indices) == 2 else results[:1] * len(indices)
    told = [replace(game, index=index) for game, index in zip(games, indices, strict=True)]
    with pytest.raises(RecordError, match=refusal) if refusal else nullcontext():
        record_batch(fakes.report(batch, results=told))
    assert replayed == []
