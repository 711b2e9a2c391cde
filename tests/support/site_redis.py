"""One site's keys in a test's Redis, under the names that the code has for them."""

from collections.abc import Iterator
from typing import Any, Final, cast

import redis

from grader.broker.site_keys import SITE, SiteRedis, prefix_of

NAME: Final = "0123456789abcdef"
"""The name of a site that a test does without."""


class KeysOfSite(SiteRedis):
    """A client that also lists the site's keys."""

    def scan_iter(self, match: Any = "*", *_: Any, **__: Any) -> Iterator[str]:
        """Yield the names of the site's keys that match a pattern."""
        with redis.Redis(connection_pool=self.connection_pool) as plain:
            for key in list(plain.scan_iter(self.prefix + match)):
                text = key if isinstance(key, str) else key.decode()
                yield text.removeprefix(self.prefix)


def site_redis(url: str, **options: Any) -> KeysOfSite:
    """Return a client for the Redis at this address."""
    return site_keys(redis.Redis.from_url(url, **options))


def site_keys(client: redis.Redis) -> KeysOfSite:
    """Return a client on the connections of another: for the site that it belongs to.

    If Redis belongs to none, it is our site's from now on.
    """
    owner = cast("bytes | str | None", client.get(SITE))
    if owner is None:
        owner = f"{_own_name()} "
        client.set(SITE, owner)
    text = owner.decode() if isinstance(owner, bytes) else owner
    prefix = prefix_of(text.partition(" ")[0])
    found = KeysOfSite(prefix=prefix, connection_pool=client.connection_pool)
    found.auto_close_connection_pool = True
    return found


def found_site(url: str) -> None:
    """Have Redis belong to a site, for graders that have none."""
    with redis.Redis.from_url(url) as client:
        client.set(SITE, f"{NAME} firebox.example.edu")


def name_site() -> None:
    """Have the database hold the name by which this process knows the site."""
    from webapp.grading.jobs.models import SiteIdentity

    SiteIdentity.objects.get_or_create(pk=1, defaults={"name": _own_name()})


def _own_name() -> str:
    from webapp.grading.jobs.identity import site_name

    return site_name()
