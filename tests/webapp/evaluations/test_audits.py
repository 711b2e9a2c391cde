"""Replay audits: asked for after graded evaluations, answered once, sent again when lost."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from grader.audit import AuditCause, AuditReport, AuditRequest, Conclusion
from grader.core.errors import RecordError
from grader.core.records import FaultKind, from_json
from tests.support.jobs import audit_job, audit_request, audited_seats
from tests.support.processes import PATIENCE_SECONDS
from tests.support.trusted import record_audit
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.base.celery import app
from webapp.base.errors import NotAllowed, Refused
from webapp.grading.audits.evaluations import request_audit
from webapp.grading.audits.flags import mark_flags
from webapp.grading.audits.outcomes import audit_part
from webapp.grading.evaluations.models import Audit, AuditStatus, Evaluation, Kind
from webapp.grading.evaluations.services import request_house
from webapp.grading.gradebook.models import Grade
from webapp.grading.jobs.leases import lease, resend_lost_jobs
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.queues import Queue
from webapp.grading.jobs.releasing import release_wanted
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Assignment, Role, Team


@pytest.fixture
def audit(graded: Evaluation) -> Audit:
    """The audit of Ada's graded evaluation, which has finished, as if it had been sent."""
    fakes.play(graded)
    Job.objects.filter(queue=Queue.AUDITS).update(sent_at=NOW, sent_to=Queue.AUDITS)
    return Audit.objects.get()


def answer(audit: Audit, conclusion: Conclusion = Conclusion.SAME) -> AuditReport:
    """The same about every seat of every game asked for."""
    request = audit_request(audit)
    cause = AuditCause.PAUSES if conclusion is Conclusion.DIFFERS else None
    seats = audited_seats(request, conclusion, cause)
    return AuditReport(audit=request.audit, seats=seats, seconds=12.5, worker="fake")


def fault(audit: Audit) -> AuditReport:
    return AuditReport(audit=audit_request(audit).audit, system_fault="Docker died")


def again(audit: Audit) -> Audit:
    audit.refresh_from_db()
    return audit


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


# Asked for


def test_a_finished_graded_evaluation_is_audited_once_by_a_sample_of_its_own(audit: Audit) -> None:
    assert request_audit(evaluation=audit.evaluation, at=NOW) == Audit.objects.get() == audit
    assert (audit.n_games, audit.status) == (10, AuditStatus.QUEUED)
    assert audit.jobs.get().attempt == 1
    request = audit_request(audit)
    assert (len(request.games), request.seats) == (10, (0, 1))
    assert request.agent.sha256 == audit.evaluation.sha256
    assert request == audit_request(audit)
    audit.seed += 1
    assert audit_request(audit).games != request.games


def test_no_audited_games_means_no_audit(graded: Evaluation) -> None:
    Assignment.objects.update(audited_games=0)
    graded.refresh_from_db()
    fakes.play(graded)
    assert not Audit.objects.exists()


def test_a_sample_is_not_larger_than_the_evaluation(graded: Evaluation) -> None:
    Assignment.objects.update(audited_games=50)
    assert fakes.play(graded).audit.n_games == 20


def test_games_that_a_fault_ended_before_the_first_turn_are_not_audited(
    graded: Evaluation,
) -> None:
    fakes.play(graded, lambda index: FaultKind.CRASH if index % 2 else 15)
    games = audit_request(Audit.objects.get()).games
    assert games
    assert all(game.index % 2 == 0 for game in games)


def test_neither_practice_nor_house_agents_are_audited(
    team: Team, assignment: Assignment, ida: User, ready: Callable[..., Submission]
) -> None:
    fakes.play(ready(team).evaluations.get(kind=Kind.PRACTICE))
    (evaluation,) = request_house(assignment=assignment, by=ida, names=["iggi"], at=NOW)
    fakes.play(evaluation)
    assert not Audit.objects.exists()


# Answered


def test_the_first_answer_finishes_the_audit_and_changes_no_grade(audit: Audit) -> None:
    grade = Grade.objects.values().get()
    record_audit(answer(audit, Conclusion.DIFFERS), at=NOW)
    record_audit(answer(audit), at=NOW)
    assert (again(audit).status, audit.flags) == (AuditStatus.FINISHED, 20)
    assert Grade.objects.values().get() == grade


def test_an_answer_to_something_else_changes_nothing(audit: Audit) -> None:
    seat = answer(audit).seats[0]
    for wrong in (replace(seat, seat=2), replace(seat, index=99), replace(seat, seat=-1)):
        with pytest.raises(RecordError):
            record_audit(replace(answer(audit), seats=(wrong,)), at=NOW)
    unknown = "00000000-0000-4000-8000-000000000000"
    for malformed in ("", "nonsense/1", unknown):
        with pytest.raises(RecordError):
            record_audit(replace(answer(audit), audit=malformed), at=NOW)
    record_audit(replace(answer(audit), audit=f"{unknown}/1"), at=NOW)
    assert again(audit).status == AuditStatus.QUEUED


def test_a_failure_of_ours_is_tried_again_after_a_pause_and_a_late_answer_is_taken(
    audit: Audit,
) -> None:
    first, report = answer(audit), fault(audit)
    for _ in range(2):
        record_audit(report, at=NOW)
    assert (again(audit).status, audit_job(audit).attempt) == (AuditStatus.QUEUED, 2)
    assert not audit.jobs.due(later(59)).exists()
    assert audit.jobs.due(later(61)).exists()
    record_audit(first, at=NOW)
    assert again(audit).status == AuditStatus.FINISHED


def test_three_failures_end_it_and_leave_the_evaluation_alone(audit: Audit) -> None:
    for _ in range(3):
        record_audit(fault(again(audit)), at=NOW)
    assert (again(audit).status, audit.system_fault) == (AuditStatus.FAILED, "Docker died")
    assert audit.evaluation.status == "finished"


# Sent


def waiting_requests() -> list[AuditRequest]:
    """Takes all messages out of the audits' queue."""
    found = []
    with app.connection_for_read() as connection, connection.SimpleQueue("audits") as queue:
        for _ in range(queue.qsize()):
            message = queue.get(timeout=PATIENCE_SECONDS)
            message.ack()
            assert message.headers["task"] == "grader.audit_games"
            found.append(from_json(message.payload[0][0], AuditRequest))
    return found


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_an_audit_is_in_its_queue_after_the_commit_that_finished_the_games(
    graded: Evaluation, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        fakes.play(graded)
    release_wanted()
    (request,) = waiting_requests()
    assert request == audit_request(Audit.objects.get())


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_an_audit_that_a_killed_broker_lost_is_sent_again(audit: Audit) -> None:
    now = audit.created_at
    assert resend_lost_jobs(at=now) == 0
    late = now + lease(audit_job(audit)) + timedelta(seconds=1)
    assert resend_lost_jobs(at=late) == 1
    assert resend_lost_jobs(at=late + timedelta(seconds=61)) == 0
    assert [request.audit for request in waiting_requests()] == [f"{audit.uuid}/2"]


# Shown


def test_an_audit_that_waits_or_found_no_differences_is_one_line(audit: Audit) -> None:
    part = audit_part(audit.evaluation, address_of=str)
    assert part is not None
    assert part.headline == "10 games will be played again when no other games wait"
    record_audit(answer(audit), at=NOW)
    part = audit_part(audit.evaluation, address_of=str)
    assert part is not None
    assert part.headline == "10 games × 2 seats, all moves repeated"
    assert (part.groups, part.caution) == ((), "")
    audit.delete()
    assert audit_part(audit.evaluation, address_of=str) is None


def test_flags_come_first_with_a_caution(audit: Audit) -> None:
    report = answer(audit, Conclusion.NOT_AUDITABLE)
    flagged = replace(report.seats[-1], conclusion=Conclusion.DIFFERS, cause=AuditCause.RECORD)
    record_audit(replace(report, seats=(*report.seats[:-1], flagged)), at=NOW)
    part = audit_part(audit.evaluation, address_of=str)
    assert part is not None
    assert part.headline == "10 games × 2 seats: 1 flagged, 19 not auditable"
    assert [group.conclusion for group in part.groups] == ["differs", "not auditable"]
    assert "never a verdict" in part.caution


@pytest.fixture
def flagged(audit: Audit) -> Audit:
    report = answer(audit)
    seat = replace(report.seats[-1], conclusion=Conclusion.DIFFERS, cause=AuditCause.RECORD)
    record_audit(replace(report, seats=(*report.seats[:-1], seat)), at=NOW)
    audit.refresh_from_db()
    return audit


def test_staff_mark_flags_as_seen_with_a_note_and_as_not_seen_again(
    flagged: Audit, ida: User
) -> None:
    mark_flags(audit=flagged, by=ida, is_seen=True, note=" Checked by hand ", at=NOW)
    flagged.refresh_from_db()
    assert not flagged.is_flagged
    assert (flagged.seen_by, flagged.seen_at, flagged.seen_note) == (ida, NOW, "Checked by hand")
    act = Act.objects.get(kind="flag.seen")
    assert (act.by, act.at, act.reason) == (ida, NOW, "Checked by hand")
    assert act.thing == str(flagged.evaluation)
    mark_flags(audit=flagged, by=ida, is_seen=False, note="Wrong agent")
    flagged.refresh_from_db()
    assert flagged.is_flagged
    assert (flagged.seen_by, flagged.seen_at, flagged.seen_note) == (None, None, "")
    assert Act.objects.get(kind="flag.unseen").reason == "Wrong agent"


def test_a_mark_needs_flags_a_note_and_a_change(flagged: Audit, ida: User) -> None:
    with pytest.raises(Refused, match="reason"):
        mark_flags(audit=flagged, by=ida, is_seen=True, note=" ")
    with pytest.raises(Refused, match="marked so before"):
        mark_flags(audit=flagged, by=ida, is_seen=False, note="Nothing")
    mark_flags(audit=flagged, by=ida, is_seen=True, note="First")
    with pytest.raises(Refused, match="marked so before"):
        mark_flags(audit=flagged, by=ida, is_seen=True, note="Second")
    flagged.refresh_from_db()
    assert flagged.seen_note == "First"
    Audit.objects.update(flags=0, seen_at=None, seen_by=None, seen_note="")
    flagged.refresh_from_db()
    with pytest.raises(Refused, match="marked so before"):
        mark_flags(audit=flagged, by=ida, is_seen=True, note="Nothing there")


def test_students_and_assistants_without_the_right_cannot_mark_flags(
    flagged: Audit, ada: User, ida: User
) -> None:
    place = flagged.evaluation.assignment.course.enrolments.filter(user=ada)
    for role in (Role.STUDENT, Role.OBSERVER, Role.GRADER, Role.ASSISTANT):
        place.update(role=role)
        with pytest.raises(NotAllowed):
            mark_flags(audit=flagged, by=ada, is_seen=True, note="Mine")
