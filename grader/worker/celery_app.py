"""The Celery application of graders: its broker and its settings."""

import os
from typing import Final

from celery import Celery

from grader.broker.transport import BROKER_TRANSPORT, broker_url, grader_options

app: Final = Celery(
    "grader",
    broker=broker_url(os.environ.get("FIREBOX_BROKER_URL", "redis://127.0.0.1:6390/0")),
)
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    result_serializer="json",
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    worker_send_task_events=False,
    worker_enable_remote_control=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport=BROKER_TRANSPORT,
    broker_transport_options={
        **grader_options(),
        "queue_order_strategy": "priority",  # queues are served in the order they are named
        "socket_keepalive": True,
    },
    worker_cancel_long_running_tasks_on_connection_loss=False,
    task_default_queue="practice",
)
