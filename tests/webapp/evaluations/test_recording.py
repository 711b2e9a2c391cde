"""Reports are taken in once, whatever their order and number, and end in exactly N games."""

import zlib
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from grader.core.errors import RecordError
from grader.core.records import BatchPhase, FaultKind
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.flow.pipeline import requeue
from webapp.grading.evaluations.models import STOPPED, Evaluation, GameResult, Status, Verdict
from webapp.grading.evaluations.models import result as result_model
from webapp.grading.evaluations.services import cancel
from webapp.grading.evaluations.services.batches import add_batches
from webapp.grading.jobs.models import Job, JobStatus, Sending


def only_batch(evaluation: Evaluation) -> Job:
    (batch,) = fakes.jobs(evaluation)
    return batch


@pytest.fixture
def batch(graded: Evaluation) -> Job:
    """The one batch in which all games of the evaluation wait."""
    return only_batch(graded)


def split(evaluation: Evaluation, *sizes: int) -> list[Job]:
    evaluation.jobs.all().delete()
    first = 0
    for size in sizes:
        add_batches(evaluation, range(first, first + size), Sending(at=NOW))
        first += size
    return fakes.jobs(evaluation)


def test_the_last_game_finishes_the_evaluation(graded: Evaluation) -> None:
    fakes.play(graded)
    assert (graded.status, graded.verdict) == (Status.FINISHED, Verdict.ACCEPTED)
    assert (graded.games_done, graded.mean, graded.lost) == (20, 16.0, 0)
    assert graded.histogram == [[14, 4], [15, 4], [16, 4], [17, 4], [18, 4]]
    assert graded.low is not None
    assert graded.high is not None
    assert graded.low < 16 < graded.high
    assert graded.ms_per_game == 4.0
    assert graded.turn_ms == {"median": 0.12, "p99": 0.24, "max": 0.24}


def test_games_that_were_played_twice_are_counted(graded: Evaluation, batch: Job) -> None:
    results = list(fakes.played(request_of(batch)))
    for index in (3, 7):
        results[index] = replace(results[index], other_attempt=results[index].record)
    record_batch(fakes.report(batch, results=results))
    graded.refresh_from_db()
    assert (graded.status, graded.second_plays) == (Status.FINISHED, 2)


def test_the_first_result_of_a_game_is_the_one_that_stays(graded: Evaluation, batch: Job) -> None:
    request = request_of(batch)
    first = fakes.played(request, lambda _: 11, only=[3])
    again = fakes.played(request, lambda _: 25, only=[3])
    for results in (first, again):
        record_batch(fakes.report(batch, BatchPhase.PLAYING, results))
    assert graded.results.get(index=3).score == 11


def test_games_that_were_not_asked_for_are_ignored(graded: Evaluation) -> None:
    first, _ = split(graded, 10, 10)
    request = request_of(first)
    record_batch(fakes.report(first, BatchPhase.PLAYING, fakes.played(request, only=[2, 15, 99])))
    assert list(graded.results.values_list("index", flat=True)) == [2]


def test_reports_after_the_end_are_ignored(graded: Evaluation, batch: Job) -> None:
    fakes.play(graded)
    before = graded.results.values_list("score", flat=True)
    record_batch(fakes.report(batch, results=fakes.played(request_of(batch), lambda _: 1)))
    graded.refresh_from_db()
    assert graded.mean == 16.0
    assert list(graded.results.values_list("score", flat=True)) == list(before)


def test_reports_of_a_cancelled_evaluation_are_ignored(graded: Evaluation, batch: Job) -> None:
    assert graded.requested_by is not None
    cancel(evaluation=graded, by=graded.requested_by)
    record_batch(fakes.report(batch, results=fakes.played(request_of(batch))))
    graded.refresh_from_db()
    assert (graded.status, graded.results.count()) == (Status.CANCELLED, 0)


def test_a_report_that_names_another_evaluation_is_ignored(graded: Evaluation, batch: Job) -> None:
    answer = fakes.report(batch, results=fakes.played(request_of(batch)))
    record_batch(replace(answer, evaluation=str(uuid4())))
    assert graded.results.count() == 0


@pytest.mark.parametrize("field", ["deal", "options"])
def test_a_game_played_otherwise_than_asked_is_refused(
    graded: Evaluation, batch: Job, field: str
) -> None:
    request = request_of(batch)
    if field == "options":
        request.options["lives"] = 1
    results = fakes.played(request)
    if field == "deal":
        other = request_of(split(graded, 10, 10)[1])
        batch = fakes.jobs(graded)[0]
        results = fakes.played(other, only=[0])
    with pytest.raises(RecordError, match="than asked for"):
        record_batch(fakes.report(batch, results=results))
    assert graded.results.count() == 0


def test_malformed_ids_are_an_error(graded: Evaluation, batch: Job) -> None:
    batch.uuid = "nonsense"  # what a wrong grader might send
    with pytest.raises(RecordError, match="ids"):
        record_batch(fakes.report(batch))


def test_a_faulted_game_scores_nothing_and_keeps_its_evidence(graded: Evaluation) -> None:
    fakes.play(graded, lambda index: FaultKind.CRASH if index == 6 else 20)
    assert (graded.verdict, graded.faults, graded.lost) == (Verdict.ACCEPTED, 1, 1)
    assert graded.mean == 19.0
    game = graded.results.get(index=6)
    assert (game.score, game.fault_kind, game.fault_turn) == (0, "crash", 0)
    assert game.evidence is not None
    assert game.evidence.received == "nonsense"


def test_a_faults_words_are_stored_without_nul(graded: Evaluation, batch: Job) -> None:
    (result,) = fakes.played(request_of(batch), lambda _: FaultKind.CRASH, only=[0])
    assert result.record.fault is not None
    fault = replace(result.record.fault, detail="raised ValueError('\0')")
    named = replace(result, record=replace(result.record, fault=fault))
    record_batch(fakes.report(batch, BatchPhase.PLAYING, [named]))
    assert "\0" not in graded.results.get().fault_detail


def test_faults_in_a_row_stop_the_evaluation(graded: Evaluation, batch: Job) -> None:
    request = request_of(batch)

    def outcome(index: int) -> fakes.Outcome:
        return 20 if index < 6 else FaultKind.TIMEOUT

    answer = fakes.report(
        batch, results=fakes.played(request, outcome, only=range(10)), stopped=True
    )
    record_batch(answer)
    graded.refresh_from_db()
    assert (graded.status, graded.verdict) == (Status.FINISHED, Verdict.FAULTY)
    assert (graded.stop_index, graded.games_done, graded.faults) == (9, 20, 4)
    assert graded.mean == 6.0
    assert graded.results.count() == 20
    assert graded.results.filter(ending=STOPPED, score=0).count() == 10


def test_games_beyond_the_stop_do_not_count_even_if_they_were_played(graded: Evaluation) -> None:
    low, high = split(graded, 10, 10)
    record_batch(fakes.report(high, results=fakes.played(request_of(high), lambda _: 25)))
    results = fakes.played(request_of(low), lambda _: FaultKind.CRASH, only=range(4))
    record_batch(fakes.report(low, results=results, stopped=True))
    graded.refresh_from_db()
    assert (graded.verdict, graded.mean, graded.faults) == (Verdict.FAULTY, 0.0, 4)
    game = graded.results.get(index=15)
    assert (game.score, game.ending) == (0, STOPPED)
    assert game.record is not None
    assert game.record.scores == (25, 25)


def test_a_stop_across_two_batches_is_found_as_well(graded: Evaluation) -> None:
    split(graded, 10, 10)
    fakes.play(graded, lambda index: FaultKind.CRASH if 8 <= index < 12 else 20)
    assert (graded.verdict, graded.stop_index, graded.mean) == (Verdict.FAULTY, 11, 8.0)


def test_an_agent_that_fails_in_every_game_is_faulty_though_nothing_stops_it(
    graded: Evaluation,
) -> None:
    graded.spec["max_consecutive_faults"] = 0
    graded.save()
    fakes.play(graded, lambda _: FaultKind.CRASH)
    assert (graded.stop_index, graded.faults) == (None, 20)
    assert graded.verdict == Verdict.FAULTY


def test_batches_beyond_the_stop_are_cancelled(graded: Evaluation) -> None:
    low, middle, high = split(graded, 4, 8, 8)
    results = fakes.played(request_of(middle), lambda _: FaultKind.CRASH, only=range(4, 8))
    record_batch(fakes.report(middle, results=results, stopped=True))
    graded.refresh_from_db()
    high.refresh_from_db()
    assert (graded.status, high.status) == (Status.PLAYING, JobStatus.CANCELLED)
    record_batch(fakes.report(low, results=fakes.played(request_of(low), lambda _: 20)))
    graded.refresh_from_db()
    assert (graded.status, graded.mean) == (Status.FINISHED, 4.0)


def test_a_system_fault_sends_only_the_missing_games_again(graded: Evaluation, batch: Job) -> None:
    results = fakes.played(request_of(batch), only=[0, 1, 2, 5])
    record_batch(fakes.report(batch, BatchPhase.PLAYING, results))
    for _ in range(2):  # a report that comes twice is one
        record_batch(fakes.report(batch, BatchPhase.FAILED, system_fault="no space left"))
    again = only_batch(graded)
    assert (again.payload["ranges"], again.attempt) == ([[3, 4], [6, 19]], 1)
    batch.refresh_from_db()
    assert (batch.status, batch.system_fault) == (JobStatus.FAILED, "no space left")


def test_after_a_system_fault_the_host_is_given_time_to_recover(graded: Evaluation) -> None:
    for pause in (10, 60):
        (batch,) = fakes.jobs(graded)
        record_batch(fakes.report(batch, BatchPhase.FAILED, system_fault="no Docker"), at=NOW)
        again = Job.objects.filter(evaluation=graded)
        assert not again.due(NOW + timedelta(seconds=pause - 1)).exists()
        assert again.due(NOW + timedelta(seconds=pause)).exists()


def fail_for_good(evaluation: Evaluation) -> None:
    while evaluation.is_open:
        batch = only_batch(evaluation)
        record_batch(fakes.report(batch, BatchPhase.FAILED, system_fault="no space left"))
        evaluation.refresh_from_db()


def test_after_three_system_faults_it_fails_without_a_verdict_and_can_be_sent_again(
    graded: Evaluation,
    batch: Job,
) -> None:
    results = fakes.played(request_of(batch), only=range(5))
    record_batch(fakes.report(batch, BatchPhase.PLAYING, results))
    fail_for_good(graded)
    assert (graded.status, graded.verdict) == (Status.FAILED, Verdict.NONE)
    assert graded.system_fault == "no space left"
    assert fakes.jobs(graded) == []
    assert graded.requested_by is not None
    requeue(evaluation=graded, by=graded.requested_by)
    again = only_batch(graded)
    assert (again.payload["ranges"], again.attempt) == ([[5, 19]], 1)
    assert fakes.play(graded).mean == 16.0


def test_games_that_come_in_after_the_failure_are_kept_for_the_next_try(
    graded: Evaluation,
    batch: Job,
) -> None:
    fail_for_good(graded)
    record_batch(fakes.report(batch, results=fakes.played(request_of(batch))))
    graded.refresh_from_db()
    assert (graded.status, graded.games_done) == (Status.FAILED, 20)
    assert graded.requested_by is not None
    requeue(evaluation=graded, by=graded.requested_by)
    graded.refresh_from_db()
    assert (graded.status, graded.mean) == (Status.FINISHED, 16.0)


def test_a_last_report_leaves_the_ones_before_it_time_to_arrive(
    graded: Evaluation, batch: Job
) -> None:
    request = request_of(batch)
    record_batch(fakes.report(batch, results=fakes.played(request, only=range(10, 20))), at=NOW)
    batch.refresh_from_db()
    assert batch.status == JobStatus.PLAYING
    assert batch.lease_until is not None
    assert NOW < batch.lease_until <= NOW + timedelta(seconds=30)
    part = fakes.report(batch, BatchPhase.PLAYING, fakes.played(request, only=range(10)))
    record_batch(part, at=NOW)
    graded.refresh_from_db()
    assert graded.status == Status.FINISHED


def test_the_first_report_starts_evaluation_and_lease(graded: Evaluation, batch: Job) -> None:
    results = fakes.played(request_of(batch), only=[0])
    record_batch(fakes.report(batch, BatchPhase.PLAYING, results), at=NOW)
    graded.refresh_from_db()
    batch.refresh_from_db()
    assert (graded.status, graded.started_at) == (Status.PLAYING, NOW)
    assert batch.status == JobStatus.PLAYING
    assert batch.lease_until is not None
    assert batch.lease_until > NOW + timedelta(seconds=59)


def test_the_database_refuses_a_second_row_for_a_game(graded: Evaluation) -> None:
    fakes.play(graded)
    GameResult.objects.bulk_create(
        [GameResult(evaluation=graded, index=0, score=25, ending="perfect")], ignore_conflicts=True
    )
    assert graded.results.filter(index=0).count() == 1


def test_a_result_too_large_to_store_is_our_fault_and_is_played_again(
    graded: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_model, "MAX_RESULT_BYTES", 100)
    for attempt in (1, 2, 3):
        (batch,) = fakes.jobs(graded)
        assert batch.attempt == attempt
        record_batch(fakes.report(batch, results=fakes.played(request_of(batch))))
    graded.refresh_from_db()
    assert (graded.status, graded.games_done, graded.faults) == (Status.FAILED, 0, 0)
    assert "at most 100 are stored" in graded.system_fault


def test_a_stored_result_that_is_cut_off_is_not_believed(graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    packed = result_model.pack(fakes.played(request_of(batch))[0])
    assert result_model.unpack(packed).index == 0
    with pytest.raises(RecordError, match="cut off"):
        result_model.unpack(packed[:-9])


def test_a_stored_result_that_would_grow_beyond_all_bounds_is_not_unpacked() -> None:
    bomb = zlib.compress(b" " * (result_model.MAX_RESULT_BYTES + 10))
    with pytest.raises(RecordError, match="too large"):
        result_model.unpack(bomb)


@pytest.mark.parametrize("nonsense", [{"faults": 1}, {"stop_index": 20}, {"games_done": 21}])
def test_the_database_refuses_figures_that_cannot_be(
    nonsense: dict[str, int], graded: Evaluation
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Evaluation.objects.filter(pk=graded.pk).update(**nonsense)
