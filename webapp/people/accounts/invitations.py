"""Invitation links: the owner of an account that staff created chooses a password.

An account with an unconfirmed address is taken back before it gets a role above student.
"""

from collections.abc import Collection
from typing import Final

from django.core import signing
from django.db import transaction
from django.utils.crypto import salted_hmac

from webapp.people.accounts.identities import claim_address, confirmed_among, shut_out_others
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import act, record_all

VALID_DAYS: Final = 60
_SALT: Final = "webapp.accounts.invitations"


def is_invited(user: User) -> bool:
    """Return whether the account waits for its owner: nobody has ever chosen a password."""
    return user.last_login is None and not user.has_usable_password()


def invitation_token(user: User) -> str:
    """Return the token of a link that works until a password is chosen, for 60 days at most."""
    return signing.dumps([user.pk, _stamp(user)], salt=_SALT, compress=False)


def invited_user(token: str) -> User | None:
    """Return the person that a token invites; ``None`` if it is old, used or not ours."""
    try:
        pk, stamp = signing.loads(token, salt=_SALT, max_age=VALID_DAYS * 86_400)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    user = User.objects.filter(pk=pk, is_active=True).first()
    return user if user is not None and is_invited(user) and stamp == _stamp(user) else None


@transaction.atomic
def accept_invitation(*, user: User, display_name: str, password: str) -> None:
    """Make the account its owner's. Raises ValidationError for a name that cannot be kept."""
    user.display_name = display_name.strip()
    user.set_password(password)
    user.full_clean(exclude=["password"])
    user.save(update_fields=["display_name", "password"])
    claim_address(user)


def doubtful_among(users: Collection[User]) -> set[int]:
    """Return the keys of accounts in use whose address nobody has confirmed. One query."""
    in_use = [user for user in users if not (is_invited(user) or user.is_operator)]
    confirmed = confirmed_among(in_use) if in_use else set()
    return {user.pk for user in in_use} - confirmed


@transaction.atomic
def take_back(users: Collection[User], *, by: User | None) -> list[User]:
    """Remove all ways into the doubtful accounts among these; return them, to be invited."""
    doubtful = User.objects.filter(pk__in=doubtful_among(users)).order_by("pk")
    # Locked: its owner may confirm the address, or another course take it back, at this moment.
    locked = list(doubtful.select_for_update(no_key=True))
    still = doubtful_among(locked)
    taken = [user for user in locked if user.pk in still]
    for user in taken:
        shut_out_others(user)
    record_all(act(ActKind.ACCOUNT_TAKEN_BACK, by=by, person=user) for user in taken)
    return taken


def _stamp(user: User) -> str:
    """Return a digest that changes with the password and with the address."""
    return salted_hmac(_SALT, f"{user.password}{user.email}").hexdigest()[:20]
