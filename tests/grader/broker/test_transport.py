"""Messages that are accepted from the broker: Celery's own, and none that could end a worker."""

import json
from base64 import b64decode, b64encode
from typing import Any

import pytest
import redis
from celery import Celery
from celery.exceptions import Retry
from hypothesis import given
from hypothesis.strategies import (
    dictionaries,
    floats,
    from_type,
    integers,
    lists,
    none,
    recursive,
    text,
)  # fmt: skip
from kombu.utils.json import loads

from grader.broker.messages import read_message
from grader.broker.transport import plain_client
from tests.support.every import every

app = Celery("test", broker="memory://")


def message(**options: Any) -> dict[str, Any]:
    with app.connection_for_write() as connection:
        app.send_task("task", args=["{}"], queue="queue", connection=connection, **options)
        raw: dict[str, Any] = connection.default_channel._get("queue")
    return raw


def understood(raw: dict[str, Any]) -> dict[str, Any]:
    parts = {name: raw[name] for name in ("properties", "headers")}
    said = {
        f"{name}.{key}": value
        for name, part in parts.items()
        for key, value in part.items()
        if value not in (None, False, 0, "", {}, [None, None])
    }
    arguments, named, follow_up = json.loads(b64decode(raw["body"]))
    return said | {"body": (arguments, named, any(follow_up.values()))}


def changed(path: str, value: object) -> str:
    """A message with something else in the place of one of its parts."""
    raw = message()
    *way, last = path.split(".")
    part = raw
    for name in way:
        part = part[name]
    part[last] = value
    return json.dumps(raw)


@pytest.mark.parametrize("options", [{}, {"expires": 5.0}, {"countdown": 3}, {"task_id": "mine"}])
def test_a_message_of_celery_is_read(options: dict[str, Any]) -> None:
    sent = message(**options)
    assert understood(sent) == understood(json.loads(read_message(json.dumps(sent), "queue")))


@app.task(name="task", bind=True, default_retry_delay=10, max_retries=None)
def again(self: Any, _: str) -> None:
    """Ask to be run again, as the site's tasks do while the database is away."""
    raise self.retry()


def test_a_task_that_joins_the_queue_again_is_a_message() -> None:
    raw = message()
    again.push_request(
        **raw["headers"], args=["{}"], kwargs={}, called_directly=False, is_eager=False,
        properties=raw["properties"], delivery_info=raw["properties"]["delivery_info"],
    )  # fmt: skip
    with app.connection_for_write() as connection:
        with pytest.raises(Retry):
            again.run("{}")
        retried = connection.default_channel._get("queue")
    assert retried["headers"]["retries"] == 1
    assert understood(retried) == understood(json.loads(read_message(json.dumps(retried), "queue")))


@every("path", ["headers.later", "properties.later", "later"])
@every("value", [{"x": 1}, {"__type__": "none", "__value__": 1}, int("9" * 4000), [[[]]]])
def test_unknown_fields_are_not_passed_on(path: str, value: object) -> None:
    passed_on = read_message(changed(path, value), "queue")
    assert b"later" not in passed_on
    loads(passed_on)


def test_a_message_lies_where_it_was_sent() -> None:
    item = json.dumps(message())
    with pytest.raises(ValueError, match="sent to queue, found in graded"):
        read_message(item, "graded")


def body(*parts: object) -> str:
    return b64encode(json.dumps(parts).encode()).decode()


@every(
    ("path", "value"),
    [
        ("body", "no base64"),
        ("body", body()),
        ("body", body(["a", "b"], {}, {})),
        ("body", body([5], {}, {})),
        ("body", body([], {"name": "x"}, {})),
        ("body", body([], {}, {"chain": [{"task": "another"}]})),
        ("body", body([], {}, {"chord": {"task": "another"}})),
        ("body", body([], {}, {"callbacks": [{"task": "another"}]})),
        ("headers", None),
        ("headers.task", None),
        ("headers.id", ["a"]),
        ("headers.eta", 5),
        ("headers.eta", ""),
        ("headers.eta", "soon"),
        ("headers.eta", "2026-11-23T08:00:00"),
        ("headers.eta", "9999-12-31T23:59:59+00:00"),
        ("headers.eta", "0001-01-01T00:00:00+14:00"),
        ("headers.expires", ""),
        ("headers.expires", "9999-12-31T23:59:59-14:00"),
        ("body", "A" * (17 << 20)),
        ("headers.retries", "many"),
        ("headers.timelimit", [1, 1]),
        ("headers.group", "g"),
        ("headers.callbacks", [{"task": "another"}]),
        ("headers.errbacks", [{"task": "another"}]),
        ("headers.chain", [{"task": "another"}]),
        ("headers.chord", {"task": "another"}),
        ("properties", []),
        ("properties.delivery_tag", 7),
        ("properties.delivery_info", "x"),
        ("properties.delivery_info", {}),
        ("properties.delivery_info.exchange", "another"),
        ("properties.delivery_info.routing_key", None),
        ("properties.body_encoding", "rot13"),
        ("properties.priority", "first"),
        ("content-type", "application/x-python-serialize"),
        ("content-encoding", "binary"),
    ],
)
def test_messages_that_would_stop_or_misuse_a_worker_are_refused(path: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_message(changed(path, value))


@given(
    recursive(
        none() | integers() | floats() | text() | from_type(bool),
        lambda children: lists(children) | dictionaries(text(), children),
        max_leaves=5,
    )
)
def test_other_json_is_refused_too(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_message(json.dumps(value))


def test_only_a_client_of_the_sites_keys_is_taken() -> None:
    with pytest.raises(TypeError, match="another transport"):
        plain_client(redis.Redis())
