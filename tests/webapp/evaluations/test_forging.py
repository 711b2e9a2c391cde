"""Forged reports of a writer to the broker change nothing."""

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


def test_a_report_of_a_game_twice_is_refused_unread(
    graded: Evaluation, batch: Job, replayed: list[int]
) -> None:
    results = really_played(request_of(batch))
    with pytest.raises(RecordError, match="twice"):
        record_batch(fakes.report(batch, results=[results[0]] * 1000))
    assert replayed == []


def test_games_that_nobody_requested_are_not_replayed(
    graded: Evaluation, batch: Job, replayed: list[int]
) -> None:
    results = really_played(request_of(batch))
    record_batch(fakes.report(batch, results=[replace(results[0], index=10_000)]))
    assert replayed == []


def test_games_of_another_deal_are_refused_before_they_are_replayed(
    graded: Evaluation, batch: Job, replayed: list[int]
) -> None:
    results = really_played(request_of(batch))
    swapped = [replace(results[0], index=1), replace(results[1], index=0)]
    with pytest.raises(RecordError, match="another deal"):
        record_batch(fakes.report(batch, results=swapped))
    assert replayed == []
