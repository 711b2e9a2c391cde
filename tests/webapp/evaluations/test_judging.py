"""The outcome of the first test for a submission."""

from dataclasses import replace
from datetime import timedelta

import pytest

from grader.core.records import BatchPhase, BuildReport, FaultKind
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.grading.evaluations.models import Evaluation, Kind, Status, Verdict
from webapp.grading.evaluations.services.jobs import COMPILED_BEFORE, OPPONENT_FAILED
from webapp.grading.jobs.leases import expire_leases
from webapp.grading.jobs.models import MAX_ATTEMPTS, JobStatus
from webapp.grading.submissions.models import TRANSITIONS, Submission, SubmissionStatus


def test_a_submission_that_compiles_is_checked(submission: Submission, smoke: Evaluation) -> None:
    record_batch(fakes.built(fakes.jobs(smoke)[0]))
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.CHECKED
    assert submission.build_log == "compiled 1 file"


def test_a_submission_that_does_not_compile_is_rejected_with_line_and_storable_cause(
    submission: Submission, smoke: Evaluation
) -> None:
    record_batch(fakes.built(fakes.jobs(smoke)[0], {7: "bad \0 byte" + "!" * 5000}))
    submission.refresh_from_db()
    smoke.refresh_from_db()
    assert submission.status == SubmissionStatus.REJECTED
    (message,) = submission.messages
    assert (message["file"], message["line"], message["column"]) == ("agent.py", 7, 1)
    assert message["text"].startswith("bad \N{SYMBOL FOR NULL} byte")
    assert len(message["text"]) == 1000
    assert (smoke.status, smoke.verdict) == (Status.FINISHED, Verdict.REJECTED)
    assert fakes.jobs(smoke) == []
    assert not submission.evaluations.filter(kind=Kind.PRACTICE).exists()


@pytest.mark.slow
def test_a_clean_smoke_test_makes_it_ready_and_lets_it_practise(
    submission: Submission, smoke: Evaluation
) -> None:
    fakes.play(smoke)
    submission.refresh_from_db()
    assert (submission.status, submission.warning) == (SubmissionStatus.READY, "")
    practice = submission.evaluations.get(kind=Kind.PRACTICE)
    assert (practice.n_games, practice.requested_by) == (10, None)
    assert practice.ms_per_game == 4.0


@pytest.mark.parametrize(
    ("faulted", "n_played", "status", "words"),
    [
        (range(2), 5, SubmissionStatus.READY, "2 of 5 games"),
        (range(1, 5), 4, SubmissionStatus.READY, "3 of 4 games"),
        (range(5), 3, SubmissionStatus.REJECTED, "All 3 games of the first test"),
    ],
    ids=["some", "three after a clean game", "three at the beginning"],
)
def test_faults_are_a_warning_unless_they_are_in_every_game(
    faulted: range,
    n_played: int,
    status: SubmissionStatus,
    words: str,
    submission: Submission,
    smoke: Evaluation,
) -> None:
    (batch,) = fakes.jobs(smoke)
    request = request_of(batch)
    assert request.max_consecutive_faults == 3
    played = fakes.played(
        request, lambda index: FaultKind.ILLEGAL if index in faulted else 12, only=range(n_played)
    )
    record_batch(fakes.report(batch, results=played))
    submission.refresh_from_db()
    assert submission.status == status
    is_rejected = status == SubmissionStatus.REJECTED
    text = submission.messages[0]["text"] if is_rejected else submission.warning
    assert text.startswith(words)
    assert ("chose hint" in text) == is_rejected
    assert submission.evaluations.filter(kind=Kind.PRACTICE).exists() != is_rejected


def test_a_build_report_that_comes_after_the_games_changes_nothing(
    submission: Submission, smoke: Evaluation
) -> None:
    (batch,) = fakes.jobs(smoke)
    record_batch(fakes.report(batch, results=fakes.played(request_of(batch))))
    record_batch(fakes.built(batch))
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.READY


@pytest.mark.slow
def test_a_system_fault_rejects_nobody(submission: Submission, smoke: Evaluation) -> None:
    for _ in range(3):
        (batch,) = fakes.jobs(smoke)
        record_batch(fakes.report(batch, BatchPhase.FAILED, system_fault="Docker died"))
    submission.refresh_from_db()
    smoke.refresh_from_db()
    assert smoke.status == Status.FAILED
    assert submission.status == SubmissionStatus.RECEIVED


def test_an_agent_that_was_compiled_before_is_not_rejected_when_it_is_sent_again(
    submission: Submission, smoke: Evaluation
) -> None:
    (batch,) = fakes.jobs(smoke)
    record_batch(fakes.built(batch), at=NOW)
    games = fakes.played(request_of(batch), only=[0])
    record_batch(fakes.report(batch, BatchPhase.PLAYING, games), at=NOW)
    assert expire_leases(at=NOW + timedelta(hours=1)) == 1
    (again,) = fakes.jobs(smoke)
    record_batch(fakes.built(again, {0: "The sources took too long to compile."}))
    submission.refresh_from_db()
    smoke.refresh_from_db()
    again.refresh_from_db()
    assert (smoke.status, submission.status) == (Status.PLAYING, SubmissionStatus.CHECKED)
    assert (again.status, again.system_fault) == (JobStatus.FAILED, COMPILED_BEFORE)
    assert [job.attempt for job in fakes.jobs(smoke)] == [2]


def test_an_agent_that_has_played_is_not_rejected_if_the_report_of_its_build_is_lost(
    submission: Submission, smoke: Evaluation
) -> None:
    (batch,) = fakes.jobs(smoke)
    games = fakes.played(request_of(batch), only=[0])
    record_batch(fakes.report(batch, BatchPhase.PLAYING, games))
    record_batch(fakes.built(batch, {0: "The sources took too long to compile."}))
    submission.refresh_from_db()
    smoke.refresh_from_db()
    assert (smoke.status, submission.status) == (Status.PLAYING, SubmissionStatus.RECEIVED)


def test_an_opponent_that_cannot_be_built_is_a_failure_of_ours(
    submission: Submission, smoke: Evaluation
) -> None:
    builds = (BuildReport(ok=True), BuildReport(ok=False))
    for _ in range(MAX_ATTEMPTS):
        (batch,) = fakes.jobs(smoke)
        record_batch(replace(fakes.built(batch), builds=builds))
        record_batch(fakes.report(batch))  # a grader that plays nothing is done at once
    submission.refresh_from_db()
    smoke.refresh_from_db()
    assert (smoke.status, smoke.system_fault) == (Status.FAILED, OPPONENT_FAILED)
    assert submission.status == SubmissionStatus.CHECKED


@pytest.mark.parametrize("status", SubmissionStatus)
def test_a_submission_moves_only_as_the_table_says(
    submission: Submission, status: SubmissionStatus
) -> None:
    for target in SubmissionStatus:
        Submission.objects.filter(pk=submission.pk).update(status=status)
        moved = submission.advance(target)
        submission.refresh_from_db()
        assert moved == (target in TRANSITIONS[status])
        assert submission.status == (target if moved else status)


@pytest.mark.slow
def test_notes_of_a_good_build_are_kept(submission: Submission, smoke: Evaluation) -> None:
    (batch,) = fakes.jobs(smoke)
    record_batch(fakes.built(batch, notes=["This is Python 2. It was translated."]))
    fakes.play(smoke, lambda _: FaultKind.CRASH)
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.REJECTED
    assert [note["text"] for note in submission.notes] == ["This is Python 2. It was translated."]
    assert "fault of the agent" in submission.messages[0]["text"]
