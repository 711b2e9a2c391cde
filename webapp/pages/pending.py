"""An identity that a provider has vouched for and that has no account yet, kept in the session."""

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final

from django.http import HttpRequest
from django.utils import timezone

from webapp.people.accounts.identities import Identity

_KEY: Final = "pending_identity"
_LIFETIME: Final = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Pending:
    """An identity, and the page that the person wanted to open."""

    identity: Identity
    next_path: str


def keep_pending(request: HttpRequest, identity: Identity, *, next_path: str) -> None:
    """Keep the identity until the person has entered an invite code."""
    ends = (timezone.now() + _LIFETIME).timestamp()
    request.session[_KEY] = {"identity": asdict(identity), "next": next_path, "ends": ends}


def pending_of(request: HttpRequest) -> Pending | None:
    """Return the identity that waits in this session; ``None`` after half an hour."""
    kept = request.session.get(_KEY)
    if not kept or kept["ends"] < timezone.now().timestamp():
        return None
    return Pending(Identity(**kept["identity"]), kept["next"])


def forget_pending(request: HttpRequest) -> None:
    """Drop the identity: it has an account."""
    request.session.pop(_KEY, None)
