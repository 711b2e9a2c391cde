"""A grader's place at the broker, without games: it only notes which batches came to be played."""

import os

import redis
from celery import Celery

from grader.records import BatchRequest, from_json

PLAYED = "played"
"""A Redis list of their names."""

URL = os.environ.get("FIREBOX_BROKER_URL", "redis://127.0.0.1:1/0")

app = Celery("grader", broker=URL)
app.conf.update(
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
)


@app.task(name="grader.play_batch")
def play_batch(request_json: str) -> None:
    """Note that it came."""
    with redis.Redis.from_url(URL) as client:
        client.rpush(PLAYED, from_json(request_json, BatchRequest).batch)
