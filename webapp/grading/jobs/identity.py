"""The site's name at the broker, and the Redis that it may use: never another site's.

A copy of the database has the same name, and is told from its original by its address.
"""

import secrets
from dataclasses import dataclass
from functools import cache
from typing import Final, Self, cast
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.db import DatabaseError

from grader.broker.site_keys import SITE, NoSiteError
from webapp.grading.jobs.models import SiteIdentity

_OF_THIS_HOST: Final = frozenset({None, "localhost", "127.0.0.1", "::1"})
"""Host names that say nothing about which site it is."""


@dataclass(frozen=True, slots=True)
class _Owner:
    name: str
    address: str
    """Its host and port; empty if only its own host can reach it."""

    @classmethod
    def read(cls, client: redis.Redis) -> Self | None:
        """Raises redis' errors."""
        record = cast("bytes | None", client.get(SITE))
        if record is None:
            return None
        name, _, address = record.decode().partition(" ")
        return cls(name, address)

    def write(self, client: redis.Redis, *, only_if_none: bool = False) -> None:
        """Raises redis' errors."""
        client.set(SITE, f"{self.name} {self.address}", nx=only_if_none)

    def is_also(self, other: Self) -> bool:
        """Return whether both may be the same site: by name, and by address if both have any."""
        addresses = {self.address, other.address} - {""}
        return self.name == other.name and len(addresses) <= 1


@cache
def site_name() -> str:
    """Return the site's name. Raises DatabaseError."""
    defaults = {"name": secrets.token_hex(8)}
    identity, _ = SiteIdentity.objects.get_or_create(pk=1, defaults=defaults)
    return identity.name


# See webapp/decisions/one-site-per-redis.md
def find_own_site(client: redis.Redis) -> str:
    """Return the site's name if Redis is this site's, or nobody's yet. Raises NoSiteError."""
    owner = _Owner.read(client)
    try:
        own = _own()
    except DatabaseError as error:
        raise NoSiteError(f"the name of this site cannot be read: {error}") from error
    if owner is None:
        own.write(client, only_if_none=True)
        owner = _Owner.read(client) or own
    if not owner.is_also(own):
        raise NoSiteError(_refusal(owner))
    if own.address and not owner.address:
        own.write(client)
    return own.name


def claim(client: redis.Redis, former: str) -> bool:
    """Make the former site's Redis this site's; return whether it was. Raises redis' errors."""
    owner = _Owner.read(client)
    if owner is None or owner.name != former:
        return False
    _own().write(client)
    return True


def _own() -> _Owner:
    parts = urlsplit(settings.SITE_URL)
    return _Owner(site_name(), "" if parts.hostname in _OF_THIS_HOST else parts.netloc)


def _refusal(owner: _Owner) -> str:
    whose = f"another site, {owner.address or owner.name}"
    return (
        f"this Redis belongs to {whose}: give each site a Redis of its own. If it is the same site"
        f" under a new address, run `python -m webapp claim_broker --from {owner.name}`"
        " (RUNBOOK.md, “One site, one Redis”)"
    )
