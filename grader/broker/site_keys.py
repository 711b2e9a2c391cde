"""Names of the keys in Redis: all but one begin with the name of the site that they belong to.

A site writes its name into that one key, and uses no Redis that has another site's name. Graders
read it there. So two sites on one Redis take no messages from each other.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

import redis
from redis.client import Pipeline
from redis.exceptions import NoPermissionError

SITE: Final = "firebox.site"
"""The key that holds the name of the site, a space, and its address."""

_OF_ONE_KEY: Final = (
    "DECR EXPIRE EXPIREAT GET GETDEL HDEL HEXISTS HGET HGETALL HINCRBY HKEYS HLEN HMGET HSET HVALS"
    " INCR INCRBY LINDEX LLEN LPOP LPUSH LRANGE LREM LTRIM PERSIST PEXPIRE PTTL RPOP RPUSH SADD"
    " SCARD SET SISMEMBER SMEMBERS SREM TTL TYPE ZADD ZCARD ZRANGE ZREM ZSCORE"
)
_KEYS: Final[Mapping[str, slice]] = {
    **dict.fromkeys(_OF_ONE_KEY.split(), slice(0, 1)),
    **dict.fromkeys(("DEL", "EXISTS", "WATCH"), slice(0, None)),
    "BRPOP": slice(0, -1),
    "LMOVE": slice(0, 2),
}
"""The arguments of each command that are keys."""
_KEYLESS: Final = frozenset(
    {"AUTH", "CLIENT", "DISCARD", "EXEC", "HELLO", "MULTI", "PING", "SELECT", "TIME", "UNWATCH"}
)


class NoSiteError(redis.ConnectionError):
    """Redis cannot be used for this site, or not yet; Celery tries again until it can."""


def prefix_of(site: str) -> str:
    """Return the beginning of a site's keys."""
    return f"site-{site}:"


def find_site(client: redis.Redis) -> str:
    """Return the name of the site to which Redis belongs, for a grader. Raises NoSiteError."""
    try:
        owner = cast("bytes | None", client.get(SITE))
    except NoPermissionError as error:
        raise NoSiteError(
            f"this login may not read {SITE}: its rules are those of an earlier version; copy those"
            " of deploy/redis/users.acl (RUNBOOK.md, “Upgrade”)"
        ) from error
    if owner is None:
        raise NoSiteError("no site of this version has used this Redis yet: start the site")
    return owner.decode().partition(" ")[0]


class _SiteKeys:
    """Has the client's commands name the keys of one site. Others are refused."""

    prefix: str

    def execute_command(self, *arguments: Any, **options: Any) -> Any:
        """Run a command on the site's keys. Raises TypeError for one that is not in the table."""
        return super().execute_command(*self._prefix_args(arguments), **options)  # type: ignore[misc]

    def _prefix_args(self, arguments: Any) -> list[Any]:
        command, *rest = arguments
        if command.split()[0] not in _KEYLESS:
            keys = _KEYS.get(command)
            if keys is None:
                raise TypeError(f"which arguments of {command} are keys?")
            rest[keys] = [self.prefix + _text(key) for key in rest[keys]]
        return [command, *rest]


class _SitePipeline(_SiteKeys, Pipeline):
    """Commands that Redis runs together."""


class SiteRedis(_SiteKeys, redis.Redis):
    """A client that sees the keys of one site alone, under the names that they have without it."""

    def __init__(self, *, prefix: str, **options: Any) -> None:
        super().__init__(**options)
        self.prefix = prefix

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> _SitePipeline:  # noqa: FBT001, FBT002 - redis'
        """Return a pipeline on the same keys."""
        pipeline = _SitePipeline(
            self.connection_pool, self.response_callbacks, transaction, shard_hint
        )
        pipeline.prefix = self.prefix
        return pipeline


def _text(key: Any) -> str:
    return key.decode() if isinstance(key, bytes) else str(key)
