"""Invitation links: the owner of an account that staff created chooses a password."""

from typing import Final

from django.core import signing
from django.db import transaction
from django.utils.crypto import salted_hmac

from webapp.accounts.identities import confirm_address
from webapp.accounts.models import User

__all__ = ["VALID_DAYS", "accept_invitation", "invitation_token", "invited_user", "is_invited"]

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
    confirm_address(user)


def _stamp(user: User) -> str:
    """Return a digest that changes with the password and with the address."""
    return salted_hmac(_SALT, f"{user.password}{user.email}").hexdigest()[:20]
