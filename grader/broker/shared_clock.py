"""Tells the time by the clock of Redis' host, which all hosts can ask: their own clocks differ."""

import logging

import redis
from celery import Celery
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def time_of(client: redis.Redis) -> float:
    """Return Redis' time, seconds since 1970."""
    seconds, microseconds = client.time()
    return float(seconds + microseconds / 1e6)


def broker_time(app: Celery) -> float | None:
    """Return the broker's time; ``None`` if it does not answer, or not to this login."""
    try:
        with app.connection_or_acquire() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0)
            return time_of(connection.default_channel.client)
    except redis.exceptions.NoPermissionError:  # a login of the version before
        return None
    except (OperationalError, redis.RedisError) as error:
        logger.warning("could not ask the broker for the time: %s", error)
        return None
