"""Verdicts are recorded before everything else, and slow work delays no report."""

import pytest
from kombu import Connection, Consumer, Queue
from kombu.message import Message
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.support.processes import PATIENCE_SECONDS
from tests.webapp import fakes
from webapp.base.celery import PERIODIC, SITE_QUEUES, app
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.jobs import broker
from webapp.grading.jobs.clock import send_due_tasks

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("redis_url")]


def take(connection: Connection, count: int) -> list[str]:
    """Take messages as a worker with one process does; return where each lay."""
    taken: list[str] = []

    def note(_: object, message: Message) -> None:
        taken.append(str(message.delivery_info["routing_key"]))
        message.ack()

    channel = connection.channel()
    with Consumer(channel, [Queue(name) for name in SITE_QUEUES], on_message=None) as consumer:
        consumer.qos(prefetch_count=1)
        consumer.register_callback(note)
        while len(taken) < count:
            connection.drain_events(timeout=PATIENCE_SECONDS)
    return taken


def test_a_flood_of_reports_delays_no_verdict() -> None:
    with app.connection_for_write() as connection:
        for queue in ["results"] * 50 + ["verdicts"] * 2:
            app.send_task("webapp.record_batch", ["{}"], queue=queue, connection=connection)
    with app.connection_for_read() as connection:
        assert take(connection, 5) == ["verdicts"] * 2 + ["results"] * 3


def test_periodic_work_delays_no_report_unless_it_measures_their_silence() -> None:
    send_due_tasks(PERIODIC)
    assert [broker.waiting(queue) for queue in SITE_QUEUES] == [1, 2, len(PERIODIC) - 3]


@pytest.mark.django_db
def test_statistics_of_a_finished_evaluation_delay_no_report(
    graded: Evaluation,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        fakes.play(graded)
    assert broker.waiting("background") == 1
    assert graded.awaits_insights
