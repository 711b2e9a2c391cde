"""Batches that nobody hears of are sent again, the missing games only, and never without bound."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from grader.core.records import BatchPhase
from tests.support.jobs import make_unreadable, request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.evaluations.services.batches import add_batches, indices_of, ranges_of
from webapp.grading.jobs.leases import _expire, expire_leases, lease, notice_taken, shorten_leases
from webapp.grading.jobs.models import LONGEST_PAUSE, MAX_LOSSES, Job, JobStatus, Sending
from webapp.grading.jobs.queues import Queue


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def sent(evaluation: Evaluation, count: int) -> list[Job]:
    """Its games in ``count`` batches, sent one second after the other from NOW on."""
    evaluation.jobs.all().delete()
    size = evaluation.n_games // count
    for k in range(count):
        add_batches(evaluation, range(k * size, (k + 1) * size), Sending(at=NOW))
    for k, batch in enumerate(fakes.jobs(evaluation)):
        Job.objects.filter(pk=batch.pk).update(sent_at=later(k), sent_to=Queue.GRADED)
    return fakes.jobs(evaluation)


def leased(evaluation: Evaluation) -> list[bool]:
    return [batch.lease_until is not None for batch in fakes.jobs(evaluation)]


@pytest.mark.parametrize(
    ("queue", "waiting", "oldest"),
    [(Queue.GRADED, 2, True), (Queue.GRADED, 9, False), (Queue.SMOKE, 0, False)],
    ids=["two have left", "more messages than batches", "another queue"],
)
def test_the_oldest_batches_are_the_ones_that_left_the_queue(
    queue: Queue, waiting: int, *, oldest: bool, graded: Evaluation
) -> None:
    sent(graded, 4)
    notice_taken(queue, waiting=waiting, at=NOW)
    assert leased(graded) == [oldest, oldest, False, False]


def test_a_lease_given_too_early_is_taken_back(graded: Evaluation) -> None:
    sent(graded, 4)
    notice_taken(Queue.GRADED, waiting=3, at=NOW)
    notice_taken(Queue.GRADED, waiting=4, at=later(10))
    assert leased(graded) == [False, False, False, False]


def test_noticing_twice_does_not_move_the_lease(graded: Evaluation) -> None:
    sent(graded, 1)
    notice_taken(Queue.GRADED, waiting=0, at=NOW)
    first = fakes.jobs(graded)[0].lease_until
    notice_taken(Queue.GRADED, waiting=0, at=later(30))
    assert fakes.jobs(graded)[0].lease_until == first


def close(batch: Job) -> str:
    assert batch.advance(JobStatus.CANCELLED)
    return str(batch.uuid)


def test_closed_batches_that_still_wait_are_counted_and_named(graded: Evaluation) -> None:
    batches = sent(graded, 4)
    closed = [close(batches[1]), close(batches[3])]
    assert notice_taken(Queue.GRADED, waiting=4, at=NOW) == closed
    assert leased(graded) == [False, False]
    assert notice_taken(Queue.GRADED, waiting=3, at=NOW) == closed
    assert leased(graded) == [True, False]
    assert notice_taken(Queue.GRADED, waiting=1, at=NOW) == closed[1:]
    assert leased(graded) == [True, True]


def test_a_closed_batch_that_left_the_queue_is_counted_no_more(graded: Evaluation) -> None:
    batches = sent(graded, 2)
    close(batches[0])
    assert notice_taken(Queue.GRADED, waiting=1, at=NOW) == []
    assert leased(graded) == [False]
    assert notice_taken(Queue.GRADED, waiting=0, at=NOW) == []
    assert leased(graded) == [True]


def test_jobs_that_a_dead_broker_lost_are_sent_again_after_one_lease(graded: Evaluation) -> None:
    sent(graded, 4)
    notice_taken(Queue.GRADED, waiting=0, at=NOW)
    assert expire_leases(at=later(59)) == 0
    assert expire_leases(at=later(61)) == 4
    again = fakes.jobs(graded)
    assert [(batch.attempt, batch.losses) for batch in again] == [(1, 1)] * 4
    assert all(batch.sent_at is None for batch in again)


@pytest.mark.parametrize("phase", [BatchPhase.BUILT, BatchPhase.PLAYING, BatchPhase.DONE])
def test_a_report_that_brings_nothing_new_keeps_no_batch(
    graded: Evaluation, phase: BatchPhase
) -> None:
    (batch,) = sent(graded, 1)
    first = fakes.played(request_of(batch), only=[0])
    record_batch(fakes.report(batch, BatchPhase.PLAYING, first), at=NOW)
    record_batch(fakes.report(batch, phase, first), at=later(59))
    assert expire_leases(at=later(61)) == 1


def test_only_missing_games_are_sent_again(graded: Evaluation) -> None:
    (batch,) = sent(graded, 1)
    results = fakes.played(request_of(batch), only=[0, 1, 4, 19])
    record_batch(fakes.report(batch, BatchPhase.PLAYING, results), at=NOW)
    assert expire_leases(at=later(61)) == 1
    (again,) = fakes.jobs(graded)
    assert again.payload["ranges"] == [[2, 3], [5, 18]]


def test_a_job_that_is_sent_again_is_not_split_further(graded: Evaluation) -> None:
    Evaluation.objects.filter(pk=graded.pk).update(ms_per_game=700.0)  # 14 s: a batch, once
    sent(graded, 1)
    notice_taken(Queue.GRADED, waiting=0, at=NOW)
    assert expire_leases(at=later(120)) == 1
    assert [batch.payload["ranges"] for batch in fakes.jobs(graded)] == [[[0, 19]]]


def test_every_report_moves_the_lease_on(graded: Evaluation) -> None:
    (batch,) = sent(graded, 1)
    for k in range(10):
        results = fakes.played(request_of(batch), only=[k])
        record_batch(fakes.report(batch, BatchPhase.PLAYING, results), at=later(50 * k))
        assert expire_leases(at=later(50 * k + 49)) == 0


def test_a_report_saves_a_batch_that_was_already_found_late(graded: Evaluation) -> None:
    (batch,) = sent(graded, 1)
    notice_taken(Queue.GRADED, waiting=0, at=NOW)
    (late,) = Job.objects.filter(lease_until__lt=later(61))
    record_batch(fakes.report(batch, BatchPhase.PLAYING), at=later(60))
    assert not _expire(late, later(61))
    assert [each.pk for each in fakes.jobs(graded)] == [batch.pk]


def test_a_lease_of_a_clock_that_was_fast_is_shortened(graded: Evaluation) -> None:
    (job,) = sent(graded, 1)
    notice_taken(Queue.GRADED, waiting=0, at=later(600))
    shorten_leases(at=NOW)
    assert fakes.jobs(graded)[0].lease_until == NOW + lease(job)
    shorten_leases(at=later(30))
    assert fakes.jobs(graded)[0].lease_until == NOW + lease(job)


def test_a_pause_of_a_clock_that_was_fast_is_over(graded: Evaluation) -> None:
    for seconds, due in ((60, 0), (600, 1), (-1, 1)):
        graded.jobs.update(sent_at=None, send_after=later(seconds))
        assert graded.jobs.due(NOW).count() == due


def test_no_pause_is_as_long_as_that_of_a_clock_that_was_fast() -> None:
    assert Sending(at=NOW, pause=LONGEST_PAUSE).columns["send_after"] == NOW + LONGEST_PAUSE
    with pytest.raises(ValueError, match="longer than any"):
        _ = Sending(at=NOW, pause=LONGEST_PAUSE + timedelta(seconds=1)).columns


@pytest.mark.parametrize(
    ("ms_per_game", "how", "seconds"),
    [
        (4.0, {}, 60.012),
        (4.0, {"attempt": 2}, 2 * 60.012),
        (4.0, {"attempt": 3}, 4 * 60.012),
        (4.0, {"losses": 2}, 4 * 60.012),
        (4.0, {"losses": MAX_LOSSES}, 16 * 60.012),
        (2.0**31, {}, 60 + 100 * 3),  # whatever a grader says, no batch is kept for days
        (None, {}, 90),  # time for slow games of an unknown agent
    ],
)
def test_leases_grow_with_each_attempt_and_each_loss_within_bounds(
    ms_per_game: float | None, how: dict[str, int], seconds: float, graded: Evaluation
) -> None:
    graded.ms_per_game = ms_per_game
    assert lease(Job(evaluation=graded, **how)).total_seconds() == pytest.approx(seconds)


def test_deaths_of_graders_fail_nothing_that_gets_on(graded: Evaluation) -> None:
    sent(graded, 1)
    for game in range(5):
        (batch,) = fakes.jobs(graded)
        assert (batch.attempt, batch.losses) == (1, 0)
        results = fakes.played(request_of(batch), only=[game])
        record_batch(fakes.report(batch, BatchPhase.PLAYING, results), at=later(1000 * game))
        expire_leases(at=later(1000 * game + 999))
    graded.refresh_from_db()
    assert (graded.status, graded.games_done) == (Status.PLAYING, 5)


def test_only_what_is_lost_twenty_times_without_a_game_fails(graded: Evaluation) -> None:
    sent(graded, 1)
    at = NOW
    for losses in range(MAX_LOSSES + 1):
        (batch,) = fakes.jobs(graded)
        assert (batch.attempt, batch.losses) == (1, losses)
        Job.objects.filter(pk=batch.pk).update(sent_at=at, sent_to=Queue.GRADED)
        notice_taken(Queue.GRADED, waiting=0, at=at)
        at += timedelta(hours=1)
        assert expire_leases(at=at) == 1
    graded.refresh_from_db()
    assert graded.status == Status.FAILED
    assert "failed" in graded.system_fault


def test_a_job_that_cannot_be_read_keeps_no_other_from_being_sent_again(
    graded: Evaluation, smoke: Evaluation, caplog: pytest.LogCaptureFixture
) -> None:
    make_unreadable(graded)
    (unreadable,), (lost,) = fakes.jobs(graded), fakes.jobs(smoke)
    assert unreadable.pk < lost.pk  # it has its turn first
    Job.objects.filter(evaluation__in=[graded, smoke]).update(sent_at=NOW, lease_until=NOW)
    assert expire_leases(at=later(61)) == 1
    lost.refresh_from_db()
    assert lost.status == JobStatus.FAILED
    assert [job.pk for job in fakes.jobs(graded)] == [unreadable.pk]
    assert str(unreadable.uuid) in caplog.text


def test_a_job_that_cannot_be_read_keeps_no_other_from_its_lease(
    graded: Evaluation, smoke: Evaluation
) -> None:
    make_unreadable(graded)
    Job.objects.filter(evaluation__in=[graded, smoke]).update(sent_at=NOW, sent_to=Queue.GRADED)
    notice_taken(Queue.GRADED, waiting=0, at=NOW)
    assert leased(graded) == leased(smoke) == [True]
    assert fakes.jobs(graded)[0].lease_until == later(60)
    shorten_leases(at=later(-600))
    assert fakes.jobs(graded)[0].lease_until == later(-540)


def test_a_batch_given_up_may_still_report(graded: Evaluation) -> None:
    (batch,) = sent(graded, 1)
    notice_taken(Queue.GRADED, waiting=0, at=NOW)
    expire_leases(at=later(61))
    record_batch(fakes.report(batch, results=fakes.played(request_of(batch))))
    graded.refresh_from_db()
    assert (graded.status, graded.mean) == (Status.FINISHED, 16.0)
    assert fakes.jobs(graded) == []


def test_a_silent_batch_whose_games_another_brought_is_simply_closed(graded: Evaluation) -> None:
    first, second = sent(graded, 2)
    notice_taken(Queue.GRADED, waiting=0, at=NOW)
    Job.objects.filter(pk=second.pk).update(
        payload={**second.payload, "ranges": [[0, 19]]}, n_games=20
    )
    second.refresh_from_db()
    part = fakes.played(request_of(second), only=range(10))
    record_batch(fakes.report(second, BatchPhase.PLAYING, part), at=later(50))
    assert expire_leases(at=later(61)) == 1
    first.refresh_from_db()
    assert first.status == JobStatus.FINISHED
    assert [batch.pk for batch in fakes.jobs(graded)] == [second.pk]


@pytest.mark.parametrize(
    ("indices", "ranges"),
    [
        ([0, 1, 2, 5], [[0, 2], [5, 5]]),
        ([7], [[7, 7]]),
        ([0, 2, 4], [[0, 0], [2, 2], [4, 4]]),
        (range(1000), [[0, 999]]),
    ],
)
def test_ranges_name_the_games_briefly(indices: Sequence[int], ranges: list[list[int]]) -> None:
    assert ranges_of(indices) == ranges
    assert indices_of(Job(payload={"ranges": ranges})) == tuple(indices)
