"""Graders as the site knows them: their reports are kept, shown to operators, believed little."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from grader.core.errors import RecordError
from grader.core.health import GraderReport
from grader.core.records import from_json, to_json
from grader.core.words import counted
from tests.support.every import every
from tests.support.graders import FAILED, GRADER_KEY, a_report, a_signer, signed
from tests.support.pages import text_of
from tests.webapp.conftest import NOW
from webapp.base.celery import SITE_QUEUES, app
from webapp.base.errors import NotAllowed
from webapp.flow import pipeline, resending
from webapp.flow.tasks import record_grader as task
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.evaluations.selectors import progress
from webapp.grading.graders.services import admit_key, dismiss
from webapp.grading.jobs.queues import Queue, broker_queue
from webapp.grading.operations import selectors
from webapp.grading.operations.health import SIGNS, HealthPart
from webapp.grading.operations.models import STALE_AFTER, Grader, Resending, Sign
from webapp.grading.operations.services import MAX_GRADERS, leave_sign, record_grader

pytestmark = pytest.mark.django_db

PAGE = "/operations/graders/"


@pytest.fixture(autouse=True)
def _workers_of_the_site(db: None) -> None:
    for part in SIGNS:
        leave_sign(part)


# --- Reports -----------------------------------------------------------------------------------


def test_a_report_survives_the_way_to_the_site() -> None:
    sent = a_report()
    admit_key(public_key=a_signer().public_key, name="host", at=NOW)
    task(signed(sent, "record_grader"))
    assert Grader.objects.get().report == sent


def test_a_worker_is_one_row_however_often_it_reports() -> None:
    for minutes in range(3):
        record_grader(
            a_report(sent_at=NOW + timedelta(minutes=minutes)),
            key=GRADER_KEY,
            at=NOW + timedelta(minutes=15),
        )
    assert Grader.objects.get().seen_at == NOW + timedelta(minutes=2)


def test_a_report_that_was_overtaken_changes_nothing() -> None:
    record_grader(a_report(sent_at=NOW, checks=(FAILED,)), key=GRADER_KEY, at=NOW)
    record_grader(a_report(sent_at=NOW - timedelta(seconds=1)), key=GRADER_KEY, at=NOW)
    assert not Grader.objects.get().is_healthy


def test_a_clock_that_is_fast_does_not_keep_a_grader_alive() -> None:
    record_grader(a_report(sent_at=NOW + timedelta(days=1)), key=GRADER_KEY, at=NOW)
    assert Grader.objects.get().seen_at == NOW


def test_a_site_whose_clock_is_set_back_still_believes_graders() -> None:
    fast = NOW + timedelta(hours=1)
    record_grader(a_report(sent_at=fast), key=GRADER_KEY, at=fast)
    record_grader(a_report(sent_at=NOW, checks=(FAILED,)), key=GRADER_KEY, at=NOW)
    assert not Grader.objects.get().is_healthy


def test_the_name_of_another_machines_worker_is_refused() -> None:
    admit_key(public_key=GRADER_KEY, name="host", at=NOW)
    record_grader(a_report(sent_at=NOW), key=GRADER_KEY, at=NOW)
    later = a_report(sent_at=NOW + timedelta(minutes=5), checks=(FAILED,))
    with pytest.raises(RecordError, match="another grader's worker"):
        record_grader(later, key=a_signer(2).public_key, at=later.sent_at)
    assert Grader.objects.get().is_healthy


def test_a_machine_with_a_new_key_takes_over_the_rows_of_a_dismissed_one() -> None:
    old = admit_key(public_key=GRADER_KEY, name="host", at=NOW)
    record_grader(a_report(sent_at=NOW), key=GRADER_KEY, at=NOW)
    dismiss(old)
    later = a_report(sent_at=NOW + timedelta(minutes=5), checks=(FAILED,))
    record_grader(later, key=a_signer(2).public_key, at=later.sent_at)
    assert not Grader.objects.get().is_healthy


def test_a_grader_without_any_check_is_not_healthy() -> None:
    record_grader(a_report(checks=()), key=GRADER_KEY)
    assert not Grader.objects.get().is_healthy


def test_a_moment_without_its_zone_is_refused() -> None:
    text = to_json(a_report(sent_at=NOW)).replace("12:00:00Z", "12:00:00")
    with pytest.raises(RecordError, match="sent_at"):
        from_json(text, GraderReport)


@every(
    "report",
    [
        a_report(name=""),
        a_report(name="x" * 201),
        a_report(version="9" * 70_000),
        a_report(sent_at=datetime.fromisoformat("0001-01-01T00:00:00+14:00")),
        a_report(checked_at=datetime.fromisoformat("9999-12-31T23:00:00-14:00")),
    ],
)
def test_a_report_that_no_worker_sends_is_refused(report: GraderReport) -> None:
    with pytest.raises(RecordError):
        record_grader(report, key=GRADER_KEY)


def test_invented_names_do_not_fill_the_database() -> None:
    rows = [
        Grader(name=f"g{number}", seen_at=NOW, is_healthy=False, report_json="{}")
        for number in range(MAX_GRADERS)
    ]
    Grader.objects.bulk_create(rows)
    with pytest.raises(RecordError):
        record_grader(a_report(name="one more", sent_at=NOW), key=GRADER_KEY, at=NOW)
    record_grader(
        a_report(name="g7", sent_at=NOW + timedelta(1)), key=GRADER_KEY, at=NOW + timedelta(2)
    )


def test_names_of_graders_that_are_gone_leave_room_for_a_new_one() -> None:
    """On Kubernetes each start of a grader has a name of its own."""
    rows = [
        Grader(
            name=f"games@grader-{number}",
            seen_at=NOW - timedelta(days=2, minutes=number),
            is_healthy=True,
            report_json="{}",
        )
        for number in range(MAX_GRADERS)
    ]
    Grader.objects.bulk_create(rows)
    record_grader(a_report(name="games@grader-new", sent_at=NOW), key=GRADER_KEY, at=NOW)
    assert Grader.objects.ready(NOW).get().name == "games@grader-new"
    assert Grader.objects.count() == MAX_GRADERS
    assert not Grader.objects.filter(name=f"games@grader-{MAX_GRADERS - 1}").exists()


def test_a_grader_that_is_gone_for_a_month_is_forgotten() -> None:
    record_grader(a_report(name="old@host", sent_at=NOW), key=GRADER_KEY, at=NOW)
    record_grader(
        a_report(sent_at=NOW + timedelta(days=31)), key=GRADER_KEY, at=NOW + timedelta(days=31)
    )
    assert [grader.name for grader in Grader.objects.all()] == ["games@host"]


def test_a_grader_that_says_goodbye_is_not_missed() -> None:
    later = NOW + timedelta(seconds=5)
    record_grader(a_report(sent_at=NOW), key=GRADER_KEY, at=NOW)
    record_grader(a_report(sent_at=later, is_leaving=True), key=GRADER_KEY, at=later)
    record_grader(a_report(name="other@host", is_leaving=True), key=GRADER_KEY, at=later)
    assert not Grader.objects.exists()


# --- Who is ready ------------------------------------------------------------------------------


def test_a_queue_is_served_by_healthy_graders_with_recent_reports(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    record_grader(a_report(queues=("graded", "practice"), sent_at=NOW), key=GRADER_KEY, at=NOW)
    broken = a_report(name="smoke@host", queues=("smoke",), sent_at=NOW, checks=(FAILED,))
    record_grader(broken, key=GRADER_KEY, at=NOW)
    with django_assert_num_queries(1):
        assert "practice" in selectors.ready_queues(NOW)
    assert "smoke" not in selectors.ready_queues(NOW)
    assert "practice" not in selectors.ready_queues(NOW + STALE_AFTER)


@pytest.mark.slow
def test_a_report_of_another_version_is_shown_as_such(operator: Client) -> None:
    Grader.objects.create(
        name="new@host", seen_at=timezone.now(), is_healthy=True, report_json='{"v":2}'
    )
    assert "smoke" not in selectors.served_queues()
    assert "It runs another version" in text_of(operator.get(PAGE))


def test_an_evaluation_knows_whether_anybody_is_ready_for_it(graded: Evaluation) -> None:
    assert not progress(graded).grader_ready
    record_grader(a_report(queues=("graded",)), key=GRADER_KEY)
    assert progress(graded).grader_ready


# --- The page ----------------------------------------------------------------------------------


def test_the_page_says_who_is_ready_and_what_they_run(operator: Client) -> None:
    record_grader(a_report(), key=GRADER_KEY)
    page = text_of(operator.get(PAGE))
    for text in (
        "games@host",
        "Ready",
        "graded, practice",
        "2 of 2",
        "firebox-python:0123",
        "crun",
    ):
        assert text in page
    assert "refuses work" not in page


def test_a_failed_check_is_shown_in_all_its_four_sentences(operator: Client) -> None:
    record_grader(a_report(checks=(FAILED, replace(FAILED, name="fine", ok=True))), key=GRADER_KEY)
    page = text_of(operator.get(PAGE))
    assert "Refuses work" in page
    assert "1 of 2" in page
    assert "checks again every 10 seconds" in page
    for text in (FAILED.tried, FAILED.expected, "&lt;b&gt;it worked&lt;/b&gt;", FAILED.fix):
        assert text in page
    assert "\x1b" not in page


def test_a_silent_grader_is_marked(operator: Client) -> None:
    past = timezone.now() - STALE_AFTER
    record_grader(a_report(sent_at=past), key=GRADER_KEY)
    assert "Silent" in text_of(operator.get(PAGE))


def test_without_graders_the_page_says_what_to_do(operator: Client) -> None:
    page = text_of(operator.get(PAGE))
    assert "No grader has reported yet" in page
    assert "nobody" in page
    assert "While paused, graders finish the games" in page


def test_a_broker_that_is_away_is_reported_and_breaks_nothing(operator: Client) -> None:
    page = operator.get(PAGE)
    assert page.status_code == 200
    assert "The broker does not answer" in text_of(page)


@pytest.mark.parametrize("part", SIGNS)
def test_a_worker_of_the_site_that_is_silent_or_never_ran_is_shown(
    operator: Client, part: HealthPart
) -> None:
    assert "Silent" not in text_of(operator.get(PAGE))
    Sign.objects.filter(name=part).update(at=timezone.now() - timedelta(minutes=2))
    assert text_of(operator.get(PAGE)).count("Silent") == 1
    Sign.objects.filter(name=part).delete()
    page = text_of(operator.get(PAGE))
    assert page.count("Silent") == page.count("never") == 1


def test_many_failed_evaluations_are_sent_again_in_the_background(
    operator: Client, graded: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is sent at once; the others wait for the background worker."""
    monkeypatch.setattr(resending, "AT_ONCE", 1)
    Evaluation.objects.open().update(status=Status.FAILED, system_fault="the disk was full")
    count = Evaluation.objects.failed().count()
    assert count > 1
    page = text_of(operator.post(f"{PAGE}failed/send-again/", follow=True))
    told = f"{count} evaluations are being sent again.", f"1 of {count} evaluations done"
    assert [words for words in (*told, "/htmx") if words not in page] == []
    again = text_of(operator.post(f"{PAGE}failed/send-again/", follow=True))
    assert "being sent again already" in again
    Evaluation.objects.failed().last().advance(Status.CANCELLED)
    assert resending.go_on_resending(at=timezone.now()) == 0
    assert "sent again" not in text_of(operator.get(PAGE))
    assert not Evaluation.objects.failed().exists()
    assert (Resending.objects.get().done, Resending.objects.get().sent) == (count, count - 1)


def test_an_error_with_one_evaluation_keeps_no_other_from_being_sent_again(
    operator: Client, graded: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    Evaluation.objects.open().update(status=Status.FAILED, system_fault="the disk was full")
    count = Evaluation.objects.failed().count()
    faulty = Evaluation.objects.failed().earliest("pk")
    requeue = pipeline.requeue

    def fail_once(*, evaluation: Evaluation, **how: Any) -> None:
        if evaluation == faulty:
            raise RuntimeError("unforeseen")
        requeue(evaluation=evaluation, **how)

    monkeypatch.setattr(pipeline, "requeue", fail_once)
    assert f"{count} failed evaluations" in text_of(operator.get(PAGE))
    page = text_of(operator.post(f"{PAGE}failed/send-again/", follow=True))
    assert f"{counted(count - 1, 'evaluation')} sent again." in page
    assert Evaluation.objects.failed().get() == faulty
    assert Evaluation.objects.open().filter(jobs__status="queued").exists()


def test_only_operators_send_failed_evaluations_again(graded: Evaluation) -> None:
    with pytest.raises(NotAllowed):
        resending.start_resending(by=graded.requested_by)


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_waiting_jobs_are_counted(operator: Client) -> None:
    for _ in range(3):
        app.send_task("grader.play_batch", args=["{}"], queue="smoke")
    rows = {row.name: row.waiting for row in selectors.queues(selectors.graders())}
    assert rows.pop("smoke") == 3
    idle = ["practice", "graded", "audits", "live", "ladder", *SITE_QUEUES]
    assert rows == dict.fromkeys(idle, 0)


def test_operators_find_the_page_of_graders_in_the_menu_and_in_the_admin(operator: Client) -> None:
    for address in ("/", "/admin/"):
        assert PAGE in text_of(operator.get(address))


# --- What nobody could use ---------------------------------------------------------------------


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_messages_set_aside_are_shown_and_can_be_deleted(operator: Client) -> None:
    task("<script>nonsense</script>")
    page = text_of(operator.get(PAGE))
    assert "Rejected messages" in page
    assert "&lt;script&gt;nonsense" in page
    page = text_of(operator.post(PAGE + "aside/forget/", follow=True))
    assert "nonsense" not in page


def test_the_page_says_what_waits_and_why(
    operator: Client, graded: Evaluation, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    course = graded.assignment.course.title
    assert "No ready grader serves this queue." in text_of(operator.get(PAGE))
    record_grader(a_report(), key=GRADER_KEY)
    page = text_of(operator.get(PAGE))
    assert "Waiting work" in page
    assert course in page
    assert "Graded games go first; practice keeps a fifth of the graders." in page
    with django_assert_max_num_queries(3):
        rows = selectors.lines([])
    assert [(row.queue, row.course, row.waiting) for row in rows] == [
        ("graded", course, 1),
        ("practice", course, 1),
    ]


def test_the_slots_of_a_queue_are_those_of_ready_graders(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    assert selectors.ready_slots(NOW) == {}
    record_grader(a_report(slots=20, sent_at=NOW), key=GRADER_KEY, at=NOW)
    smoke = a_report(name="smoke@host", slots=1, queues=("smoke",), sent_at=NOW)
    record_grader(smoke, key=GRADER_KEY, at=NOW)
    liar = a_report(name="liar@host", slots=10**9, queues=("live",), sent_at=NOW)
    record_grader(liar, key=GRADER_KEY, at=NOW)
    with django_assert_num_queries(1):
        slots = selectors.ready_slots(NOW)
    assert (slots["graded"], slots["smoke"], slots["live"]) == (20, 1, selectors.MAX_SLOTS)
    assert selectors.ready_slots(NOW + STALE_AFTER) == {}


@pytest.mark.parametrize(
    ("queue", "courses", "why"),
    [
        (Queue.PRACTICE, {Queue.PRACTICE: 3}, "Shares the graders equally with 2 other courses."),
        (Queue.AUDITS, {Queue.AUDITS: 2, Queue.SMOKE: 1}, "Served when nothing else waits."),
        (Queue.SMOKE, {Queue.SMOKE: 1}, "All slots are busy, or about to be filled."),
    ],
)
def test_what_waits_says_whom_it_waits_for(
    queue: Queue, courses: dict[Queue, int], why: str
) -> None:
    served = {broker_queue(each) for each in Queue}
    assert selectors._why(queue, Counter(courses), served) == why
