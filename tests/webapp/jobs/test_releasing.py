"""Waiting jobs go to a real broker a few at a time, in the order of the policy."""

from datetime import timedelta

import pytest
from django.db.models import Count
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from grader.core.records import BatchPhase
from tests.support.graders import FAILED, GRADER_KEY, a_report
from tests.support.processes import PATIENCE_SECONDS, wait_until
from tests.support.site_redis import site_redis
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.base.celery import PERIODIC, RELEASE_JOBS, app
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services.batches import add_batches
from webapp.grading.jobs import broker, capacity, policy
from webapp.grading.jobs.adding import add_jobs
from webapp.grading.jobs.lines import ENOUGH, lines
from webapp.grading.jobs.models import Job, Requester, Sending
from webapp.grading.jobs.queues import Queue
from webapp.grading.jobs.releasing import release, release_later, release_wanted
from webapp.grading.operations.services import record_grader
from webapp.teaching.courses.models import Course

pytestmark = pytest.mark.redis


@pytest.fixture(autouse=True)
def _broker(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that holds two batches without a grader: enough to see their order."""
    site_redis(redis_url).close()  # Redis is the site's from now on
    monkeypatch.setattr(policy, "LEAST_AHEAD", 2)


@pytest.fixture
def crowd(graded: Evaluation) -> Evaluation:
    """It waits in twenty batches, and nothing else does."""
    Job.objects.all().cancel()
    jobs = (a_job(graded, place) for place in range(20))
    add_jobs(jobs, by=Requester(course=graded.assignment.course_id))
    return graded


def a_job(evaluation: Evaluation, place: int = 0, *, queue: Queue = Queue.GRADED) -> Job:
    return Job(
        evaluation=evaluation,
        queue=queue,
        payload={"ranges": [[place, place]], "check_first": False},
        n_games=1,
        seconds=15.0,
        **Sending(at=NOW).columns,
    )


def test_only_what_graders_can_soon_begin_is_sent(crowd: Evaluation) -> None:
    assert release() == 2
    assert release() == 0
    assert broker.waiting("graded") == 2
    assert crowd.jobs.filter(sent_at__isnull=False).count() == 2


def test_the_more_slots_graders_report_the_more_is_sent(crowd: Evaluation) -> None:
    record_grader(a_report(name="games@a", slots=20), key=GRADER_KEY)
    record_grader(a_report(name="games@b", slots=10), key=GRADER_KEY)
    record_grader(a_report(name="games@c", slots=90, checks=(FAILED,)), key=GRADER_KEY)
    assert capacity.slots(Queue.PRACTICE) == 30
    assert release() == 8


def test_a_started_job_is_followed_by_the_next(crowd: Evaluation) -> None:
    release()
    with app.connection_for_read() as connection, connection.SimpleQueue("graded") as queue:
        queue.get(timeout=PATIENCE_SECONDS).ack()
    first = crowd.jobs.filter(sent_at__isnull=False).earliest("sent_at")
    record_batch(fakes.report(first, BatchPhase.PLAYING))
    assert release() == 1
    assert broker.waiting("graded") == 2


def test_another_course_is_next_whoever_waits(crowd: Evaluation) -> None:
    other = Course.objects.create(slug="other", title="Other")
    release()
    add_jobs([a_job(crowd)], by=Requester(course=other.pk))
    Job.objects.filter(sent_at__isnull=False).update(sent_to="")  # as if they were taken
    with app.connection_for_read() as connection, connection.SimpleQueue("graded") as queue:
        queue.clear()
    release()
    sent = Job.objects.filter(sent_to=Queue.GRADED).order_by("sent_at", "pk")
    assert list(sent.values_list("course", flat=True)) == [other.pk, crowd.assignment.course_id]


def test_practice_goes_to_the_queue_of_graded_games(crowd: Evaluation) -> None:
    Job.objects.all().cancel()
    by = Requester(course=crowd.assignment.course_id)
    add_jobs([a_job(crowd, queue=Queue.PRACTICE)], by=by)
    assert release(Queue.PRACTICE) == 1
    assert (broker.waiting("graded"), broker.waiting("practice")) == (1, 0)


def test_a_job_that_pauses_after_a_fault_is_not_sent_early(crowd: Evaluation) -> None:
    Job.objects.all().update(send_after=NOW + timedelta(seconds=10))
    assert release(at=NOW) == 0
    assert release(at=NOW + timedelta(seconds=11)) == 2


def test_a_look_takes_as_few_queries_however_much_waits(
    crowd: Evaluation, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    by = Requester(course=crowd.assignment.course_id)
    add_jobs([a_job(crowd, place) for place in range(20, 400)], by=by)
    with django_assert_num_queries(3):
        (line,) = lines((Queue.GRADED,), at=NOW)
    assert (line.waiting, line.in_flight) == (ENOUGH, 0)
    # lines; slots, held; jobs; images; a mark each
    with django_assert_num_queries(3 + 2 + 2 + 1 + 2):
        assert release(Queue.GRADED) == 2


def test_as_many_are_sent_as_there_is_room_for_although_few_are_counted_first(
    crowd: Evaluation,
) -> None:
    other = Course.objects.create(slug="other", title="Other")
    add_jobs([a_job(crowd, place) for place in range(80)], by=Requester(course=other.pk))
    Job.objects.update(seconds=4.0)
    record_grader(a_report(slots=60), key=GRADER_KEY)
    assert release() == 60
    sent = Job.objects.in_flight().order_by().values_list("course")
    assert dict(sent.annotate(count=Count("pk"))) == {
        crowd.assignment.course_id: 20,
        other.pk: 40,
    }


def test_notices_at_a_time_lead_to_one_release_and_none_where_they_come_from(
    crowd: Evaluation,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """A thousand teams are graded, or two hundred batches have their first reports."""
    with django_capture_on_commit_callbacks() as committed:
        for _ in range(10):
            release_later([Queue.PRACTICE, Queue.GRADED])
    with django_assert_num_queries(0):
        for notice in committed:
            notice()
    assert broker.waiting("verdicts") == 1
    assert release_wanted() == 2
    with django_assert_num_queries(0):
        assert release_wanted() == 0, "nothing was wanted since"


def test_a_queue_that_was_named_too_early_is_released_a_moment_later() -> None:
    broker.want_release(["graded"])
    assert broker.take_wanted() == {"graded"}
    broker.want_release(["smoke"])  # within the same fraction of a second
    assert broker.waiting("verdicts") == 1

    def asked() -> bool:
        broker.ask_for_release()
        return broker.waiting("verdicts") == 2

    wait_until(asked, why="no clock asks")
    assert broker.take_wanted() == {"smoke"}


def test_a_clock_asks_for_no_release_that_nobody_wants() -> None:
    broker.ask_for_release()
    assert broker.waiting("verdicts") == 0


def test_there_are_four_releases_a_second_at_most(redis_url: str) -> None:
    broker.want_release(["graded"])
    with site_redis(redis_url) as client:
        milliseconds = client.pttl("firebox.turn.webapp.release_wanted")
    assert 200 < milliseconds <= 300
    assert 1000 / 300 + 1 / PERIODIC[RELEASE_JOBS] < 4


def test_evaluations_are_cut_for_the_slots_that_are_idle(graded: Evaluation) -> None:
    Job.objects.all().delete()
    graded.ms_per_game = 1000.0
    record_grader(a_report(slots=8), key=GRADER_KEY)
    add_batches(graded, range(20), Sending(at=NOW))
    assert graded.jobs.count() == 8
    add_batches(graded, range(20), Sending(at=NOW))
    assert graded.jobs.count() == 8 + 2, "none is idle: as few batches as their length allows"


def test_a_job_that_is_sent_again_keeps_its_turn(crowd: Evaluation) -> None:
    turn = NOW - timedelta(hours=1)
    sending = Sending(at=NOW, turn_at=turn, is_retry=True)
    add_batches(crowd, [0], sending)
    assert crowd.jobs.latest("pk").turn_at == turn
