"""A grader's place at the broker, without games: it only notes which batches came to be played."""

import os
from pathlib import Path

from celery import Celery

from grader.broker.site_keys import find_site
from grader.broker.transport import (
    BROKER_TRANSPORT,
    grader_options,
    is_withdrawn,
    site_options,
)
from grader.core.records import BatchRequest, from_json
from tests.support.processes import wait_until
from tests.support.site_redis import site_redis

PLAYED = "played"
"""A Redis list of their names."""
PASSED_OVER = "passed over"
"""The same of those that nobody needed any more."""

URL = os.environ.get("FIREBOX_BROKER_URL", "redis://127.0.0.1:1/0")

KEEPS_VARIABLE = "IDLE_GRADER_KEEPS"
"""Has Redis keep the messages that it has taken, as it does for the site's own workers."""
_KEEPING = {**site_options("results"), "find_site": find_site}
_OPTIONS = _KEEPING if os.environ.get(KEEPS_VARIABLE) else grader_options()

app = Celery("grader", broker=URL)
app.conf.update(
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
    broker_transport=BROKER_TRANSPORT,
    broker_transport_options=_OPTIONS,
    worker_enable_remote_control=False,
)


@app.task(name="grader.play_batch")
def play_batch(request_json: str) -> None:
    """Note that it came, unless it was withdrawn."""
    batch = from_json(request_json, BatchRequest).batch
    with site_redis(URL) as client:
        client.rpush(PASSED_OVER if is_withdrawn(client, batch) else PLAYED, batch)


@app.task(name="wait_for")
def wait_for(path: str) -> None:
    """Be busy until there is a file of that name."""
    wait_until(Path(path).exists, why="the test did not end it")
