"""The site's Celery app: sends jobs to graders, records their reports, watches leases.

Workers of it (``celery -A webapp worker -Q verdicts,results``), one or more, run beside the web
server, and one for what may take long (``-Q background``); any of them that is alive sends the
periodic tasks. It shares the broker and the transport with the graders' app, and meets it in task
names and in the JSON of ``grader.core.records``.
"""

import logging.config
import os
from typing import Any, Final

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

from django.conf import settings  # after the line that says where they are

from grader.broker.transport import BROKER_TRANSPORT, broker_url, site_options

RESULTS_QUEUE: Final = "results"
"""Reports of games, and tasks that must run after them."""
# See webapp/decisions/verdicts-queue.md
VERDICTS_QUEUE: Final = "verdicts"
"""Served first: reports that people wait for, and graders' reports about themselves."""
# See webapp/decisions/background-queue.md
BACKGROUND_QUEUE: Final = "background"
"""Work that may wait, and may take long: mail, points for platforms, similarity, statistics."""
SITE_QUEUES: Final = (VERDICTS_QUEUE, RESULTS_QUEUE, BACKGROUND_QUEUE)
"""The queues that the site's own workers serve. One that serves all takes them in this order."""

BROKER_SECONDS = 2.0
"""The time that a web request waits for a silent broker; the row is stored by then."""

RELEASE_JOBS: Final = "webapp.release_jobs"
"""The periodic task by which graders get work; it needs no report that waits."""
RELEASE_WANTED: Final = "webapp.release_wanted"
"""The task that does the same at once, for queues in which something changed."""
RESEND_LOST_JOBS: Final = "webapp.resend_lost_jobs"
"""The periodic task that takes silence for a loss: it must run behind the reports that wait."""
NOTE_RESULTS: Final = "webapp.note_results"
"""The periodic task that receives the time at which it was sent."""
PRUNE: Final = "webapp.prune"
"""The daily task that removes expired data."""
PERIODIC: Final = {
    RESEND_LOST_JOBS: settings.TICK_SECONDS,
    RELEASE_JOBS: 2.0,
    "webapp.play_ladders": settings.TICK_SECONDS,
    "webapp.compute_missing_insights": 60.0,
    "webapp.go_on_grading": 2.0,
    "webapp.go_on_resending": 2.0,
    "webapp.go_on_comparing": 10.0,
    "webapp.go_on_importing": 2.0,
    "webapp.tell_operators": 15.0,
    "webapp.send_notifications": 15.0,
    "webapp.send_scores": 60.0,
    "webapp.remind_of_deadlines": 600.0,
    "webapp.tell_staff": 300.0,
    "webapp.link_acts": 60.0,
    "webapp.forget_kept_uploads": 600.0,
    NOTE_RESULTS: 10.0,
    PRUNE: 86_400.0,
}
"""Periodic tasks and the seconds between two of them (``webapp.grading.jobs.clock``)."""
_WITH_REPORTS: Final = {
    RELEASE_JOBS: VERDICTS_QUEUE,
    RELEASE_WANTED: VERDICTS_QUEUE,
    RESEND_LOST_JOBS: RESULTS_QUEUE,
    NOTE_RESULTS: RESULTS_QUEUE,
}
"""The queue of each task that is not sent to the background."""
COMPUTE_INSIGHTS: Final = "webapp.compute_insights"
"""The task that computes the statistics of an evaluation that has just finished."""


@setup_logging.connect
def _log_as_the_site_does(**_: Any) -> None:
    """Keep Celery from setting its own formats and levels."""
    logging.config.dictConfig(settings.LOGGING)


app = Celery("webapp", task_cls="webapp.grading.jobs.obsolete:SiteTask")
app.conf.update(
    broker_url=broker_url(settings.BROKER_URL),
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_connection_timeout=BROKER_SECONDS,
    broker_transport=BROKER_TRANSPORT,
    broker_transport_options={
        **site_options(RESULTS_QUEUE),
        "queue_order_strategy": "priority",  # queues are served in the order they are named
        "socket_connect_timeout": BROKER_SECONDS,
    },
    worker_enable_remote_control=False,
    result_backend=None,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_default_queue=RESULTS_QUEUE,
    task_routes={
        name: {"queue": _WITH_REPORTS.get(name, BACKGROUND_QUEUE)}
        for name in (*PERIODIC, RELEASE_WANTED, COMPUTE_INSIGHTS)
    },
    timezone="UTC",
)
app.autodiscover_tasks(["webapp.flow"])
