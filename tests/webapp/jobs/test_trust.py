"""Trust in graders' reports."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from grader.audit import AuditReport
from grader.broker.transport import is_admitted
from grader.core.errors import RecordError
from grader.core.records import digest
from tests.support import world as worlds
from tests.support.graders import a_report, a_signer, signed
from tests.support.jobs import audit_request, audited_seats
from tests.support.jobs import request_of as batch_request
from tests.support.pages import text_of
from tests.support.site_redis import site_redis
from tests.support.trusted import record_audit
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.flow import tasks
from webapp.flow.metrics import exposition
from webapp.grading.audits.jobs import DECLINED_PAUSE, SAME_GRADER_AFTER
from webapp.grading.audits.outcomes import audit_part
from webapp.grading.evaluations.models import Audit, AuditStatus, Evaluation, Status
from webapp.grading.evaluations.services.batches import checks_first
from webapp.grading.graders import services as graders
from webapp.grading.graders.models import GraderKey
from webapp.grading.jobs import broker
from webapp.grading.jobs.claims import claim
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.queues import Queue
from webapp.grading.operations.models import Grader
from webapp.grading.operations.selectors import ready_keys, ready_queues, ready_slots

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

OURS, TAKEN, STRANGER = (a_signer(number) for number in (1, 2, 3))
PAGE = "/operations/graders/"


@pytest.fixture(autouse=True)
def _admitted(redis_url: str) -> None:
    for signer, name in ((OURS, "ours"), (TAKEN, "taken")):
        graders.admit_key(public_key=signer.public_key, name=name, at=NOW)


def report_of(evaluation: Evaluation, **how: Any) -> str:
    """All games of the evaluation's batch, as a grader sends them."""
    (batch,) = fakes.jobs(evaluation)
    report = fakes.report(batch, results=fakes.played(batch_request(batch), **how))
    return signed(report, "record_batch", by=OURS)


def whys() -> list[str]:
    return [message.why for message in broker.aside()]


def test_games_of_another_request_than_was_sent_count_nothing(graded: Evaluation) -> None:
    """A thief of the broker's login has an honest grader play another agent's games."""
    (batch,) = fakes.jobs(graded)
    asked = batch_request(batch)
    forged = replace(asked, agents=(replace(asked.agents[0], sha256="f" * 64),))
    report = fakes.report(batch, results=fakes.played(forged))
    tasks.record_batch(signed(replace(report, request=digest(forged)), "record_batch", by=OURS))
    batch.refresh_from_db()
    assert batch.claimed_by == ""
    assert graded.results.count() == 0
    assert whys() == [f"batch {batch.uuid} was played by another request than was sent"]
    tasks.record_batch(report_of(graded))
    graded.refresh_from_db()
    batch.refresh_from_db()
    assert (graded.status, batch.claimed_by) == (Status.FINISHED, OURS.public_key)


def test_one_of_two_graders_that_report_at_once_gets_the_batch(graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    report = fakes.report(batch)
    claim(batch, report, key=OURS.public_key)
    with pytest.raises(RecordError, match="another grader"):
        claim(batch, report, key=TAKEN.public_key)
    claim(batch, report, key=OURS.public_key)


def test_a_report_that_is_refused_claims_nothing(graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    twice = fakes.played(batch_request(batch), only=(0, 0))
    tasks.record_batch(signed(fakes.report(batch, results=twice), "record_batch", by=TAKEN))
    assert whys() == ["a game is reported twice"]
    tasks.record_batch(report_of(graded))
    graded.refresh_from_db()
    assert graded.status == Status.FINISHED


def test_only_the_batch_that_compiles_an_agent_first_rejects_it(graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    assert not checks_first(batch)
    tasks.record_batch(signed(fakes.built(batch, {3: "bad"}), "record_batch", by=OURS))
    graded.refresh_from_db()
    batch.refresh_from_db()
    assert graded.status == Status.PLAYING
    assert batch.status == JobStatus.FAILED
    assert "had compiled when it was uploaded" in batch.system_fault
    assert graded.jobs.open().get().attempt == 2


def test_a_report_of_a_grader_that_is_not_admitted_changes_nothing(graded: Evaluation) -> None:
    GraderKey.objects.filter(public_key=OURS.public_key).update(admitted_at=None)
    tasks.record_batch(report_of(graded))
    graded.refresh_from_db()
    assert graded.games_done == 0
    assert whys()[0] == "a report of a grader that is not admitted"


def test_a_grader_that_was_taken_over_cannot_report_of_anothers_batch(graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    one = fakes.report(batch, results=fakes.played(batch_request(batch), only=[0]))
    tasks.record_batch(signed(one, "record_batch", by=OURS))
    rest = fakes.report(batch, results=fakes.played(batch_request(batch), lambda _: 25))
    tasks.record_batch(signed(rest, "record_batch", by=TAKEN))
    graded.refresh_from_db()
    assert graded.games_done == 1
    assert whys()[0].endswith("is played by another grader")
    tasks.record_batch(report_of(graded))
    graded.refresh_from_db()
    assert graded.status == Status.FINISHED


def test_a_report_of_an_unknown_batch_is_ignored(graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    report = fakes.report(batch, results=())
    Job.objects.all().delete()
    tasks.record_batch(signed(report, "record_batch", by=OURS))
    assert whys() == []


# --- Becoming admitted -------------------------------------------------------------------------


def test_a_new_machine_waits_and_an_operator_admits_and_dismisses_it(
    operator: Client, redis_url: str
) -> None:
    tasks.record_grader(signed(a_report(name="games@new"), "record_grader", by=STRANGER))
    tasks.record_grader(signed(a_report(name="smoke@new"), "record_grader", by=STRANGER))
    key = GraderKey.objects.get(public_key=STRANGER.public_key)
    assert (key.name, key.admitted_at) == ("new", None)
    assert not Grader.objects.exists()
    page = text_of(operator.get(PAGE))
    assert key.fingerprint in page
    assert "Waiting</span>" in page
    assert "No admitted grader has reported yet" in page
    with site_redis(redis_url) as client:
        operator.post(f"{PAGE}{key.pk}/admit/")
        assert is_admitted(client, STRANGER.public_key)
        tasks.record_grader(signed(a_report(name="games@new"), "record_grader", by=STRANGER))
        assert Grader.objects.get().name == "games@new"
        assert "by Olga" in text_of(operator.get(PAGE))
        operator.post(f"{PAGE}{key.pk}/dismiss/")
        assert not is_admitted(client, STRANGER.public_key)
    assert not GraderKey.objects.filter(public_key=STRANGER.public_key).exists()


def test_a_drained_machine_takes_no_work_and_is_believed(
    operator: Client, redis_url: str, graded: Evaluation
) -> None:
    key = GraderKey.objects.get(public_key=OURS.public_key)
    with site_redis(redis_url) as client:
        tasks.resend_lost_jobs()
        operator.post(f"{PAGE}{key.pk}/drain/")
        tasks.resend_lost_jobs()
        assert not is_admitted(client, OURS.public_key)
        assert "Drained" in text_of(operator.get(PAGE))
        tasks.record_batch(report_of(graded))
        graded.refresh_from_db()
        assert graded.status == Status.FINISHED
        operator.post(f"{PAGE}{key.pk}/resume/")
        assert is_admitted(client, OURS.public_key)


def test_nobody_waits_for_a_drained_machine(operator: Client, graded: Evaluation) -> None:
    """No other grader leaves it a job, pages say that nobody serves a queue, an alert is raised."""
    tasks.record_grader(signed(a_report(), "record_grader", by=OURS))
    key = GraderKey.objects.get(public_key=OURS.public_key)
    assert ready_keys("graded", timezone.now()) == {OURS.public_key}
    operator.post(f"{PAGE}{key.pk}/drain/")
    now = timezone.now()
    assert (ready_keys("graded", now), ready_queues(now)) == (frozenset(), frozenset())
    assert not ready_slots(now)
    Job.objects.update(sent_at=None, sent_to="")
    page = text_of(operator.get(PAGE))
    assert "No ready grader serves this queue." in page
    assert "Refuses work" not in page
    figures = exposition().decode()
    assert 'firebox_graders{state="ready"} 0.0' in figures
    assert 'firebox_graders{state="unfit"} 0.0' in figures
    assert "Look at 1 grader" not in text_of(operator.get("/"))


def test_invented_keys_neither_fill_the_database_nor_keep_anybody_out_for_long() -> None:
    GraderKey.objects.bulk_create(
        GraderKey(public_key=f"{number:064}", name="x", first_seen_at=NOW)
        for number in range(graders.MAX_WAITING_KEYS)
    )
    with pytest.raises(RecordError, match="wait to be admitted"):
        graders.register_key(public_key=STRANGER.public_key, name="x", at=NOW)
    assert graders.register_key(public_key=OURS.public_key, name="x", at=NOW).name == "ours"
    later = NOW + timedelta(days=1, seconds=1)
    graders.register_key(public_key=STRANGER.public_key, name="new", at=later)
    assert GraderKey.objects.get(admitted_at__isnull=True).name == "new"


def test_a_grader_dismissed_while_others_are_admitted_stays_dismissed(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    admit = broker.admit

    def dismiss_one_first(keys: Sequence[str]) -> None:
        GraderKey.objects.get(public_key=TAKEN.public_key).delete()
        admit(keys)

    monkeypatch.setattr(broker, "admit", dismiss_one_first)
    tasks.resend_lost_jobs()
    with site_redis(redis_url) as client:
        assert is_admitted(client, OURS.public_key)
        assert not is_admitted(client, TAKEN.public_key)


def test_a_key_can_be_admitted_before_its_machine_is_heard_of() -> None:
    call_command("admit_grader", STRANGER.public_key.upper(), "--name", "new")
    assert GraderKey.objects.get(public_key=STRANGER.public_key).admitted_at is not None
    with pytest.raises(CommandError, match="64 hexadecimal digits"):
        call_command("admit_grader", "nonsense")


# --- Playing a sample again on another machine -------------------------------------------------


@pytest.fixture
def audit() -> Audit:
    """The audit of an evaluation that our machine has played."""
    world = worlds.make()
    worlds.submit_and_practise(world, world.ada)
    evaluation = worlds.grade(world, world.ada)
    evaluation.jobs.update(claimed_by=OURS.public_key)
    audit = Audit.objects.get(evaluation=evaluation)
    Audit.objects.filter(pk=audit.pk).update(created_at=timezone.now())
    audit.refresh_from_db()
    return audit


def test_the_machine_that_played_declines_the_audit_unless_there_is_no_other(audit: Audit) -> None:
    assert audit_request(audit).not_by == (OURS.public_key,)
    assert audit_request(audit, at=audit.created_at + 2 * SAME_GRADER_AFTER).not_by == ()
    GraderKey.objects.filter(public_key=TAKEN.public_key).delete()
    assert audit_request(audit).not_by == ()


def test_if_two_machines_played_the_one_with_fewer_games_may_audit(audit: Audit) -> None:
    batch = audit.evaluation.jobs.order_by("pk").first()
    assert batch is not None
    audit.evaluation.jobs.exclude(pk=batch.pk).delete()
    Job.objects.create(
        evaluation=audit.evaluation,
        queue=Queue.GRADED,
        n_games=1,
        claimed_by=TAKEN.public_key,
        created_at=NOW,
    )
    assert audit_request(audit).not_by == (OURS.public_key,)


def test_an_audit_that_was_declined_is_sent_again_after_a_pause(audit: Audit) -> None:
    now = timezone.now()
    audit.jobs.update(sent_at=now)
    asked = audit_request(audit)
    report = AuditReport(audit=asked.audit, declined=True, request=asked.digest())
    tasks.record_audit(signed(report, "record_audit", by=OURS))
    audit.refresh_from_db()
    job = audit.jobs.get()
    assert (audit.status, job.attempt, job.sent_at) == (AuditStatus.QUEUED, 1, None)
    assert job.send_after is not None
    assert abs(job.send_after - now - DECLINED_PAUSE) < timedelta(seconds=10)


def test_an_audit_of_other_games_than_were_sent_is_refused(audit: Audit) -> None:
    fewer = replace(audit_request(audit), games=())
    report = AuditReport(audit=fewer.audit, request=fewer.digest())
    tasks.record_audit(signed(report, "record_audit", by=TAKEN))
    audit.refresh_from_db()
    assert audit.status == AuditStatus.QUEUED
    assert whys() == [f"audit {fewer.audit} answers another request than was sent"]


def answer_of(audit: Audit) -> AuditReport:
    """An answer that found nothing, as an honest grader sends it."""
    asked = audit_request(audit)
    return AuditReport(audit=asked.audit, seats=audited_seats(asked), request=asked.digest())


def test_an_answer_for_some_seats_only_is_refused(audit: Audit) -> None:
    whole = answer_of(audit)
    for seats in ((), whole.seats[1:], (*whole.seats, whole.seats[0])):
        answer = replace(whole, seats=seats)
        tasks.record_audit(signed(answer, "record_audit", by=TAKEN))
    audit.refresh_from_db()
    assert audit.status == AuditStatus.QUEUED
    assert all(why.endswith("does not answer for every seat of its games") for why in whys())
    assert len(whys()) == 3


def test_an_answer_of_the_machine_that_was_to_decline_is_no_answer(audit: Audit) -> None:
    audit.jobs.update(sent_at=timezone.now())
    tasks.record_audit(signed(answer_of(audit), "record_audit", by=OURS))
    audit.refresh_from_db()
    assert (audit.status, audit.jobs.get().sent_at) == (AuditStatus.QUEUED, None)


@pytest.mark.parametrize(
    ("signer", "said"), [(TAKEN, "Another grader replayed"), (OURS, "The same grader replayed")]
)
def test_staff_are_told_who_played_the_games_again(signer: Any, said: str, audit: Audit) -> None:
    Audit.objects.filter(pk=audit.pk).update(created_at=NOW - SAME_GRADER_AFTER)
    tasks.record_audit(signed(answer_of(audit), "record_audit", by=signer))
    audit.refresh_from_db()
    part = audit_part(audit.evaluation, address_of=str)
    assert part is not None
    assert part.replayed_by.startswith(said)


def test_an_answer_from_before_graders_had_keys_says_nothing_of_them(audit: Audit) -> None:
    record_audit(AuditReport(audit=audit_request(audit).audit))
    part = audit_part(audit.evaluation, address_of=str)
    assert part is not None
    assert part.replayed_by == ""
