"""Access tokens: a program that has one may read its user's results, or also upload for them."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from grader.core.words import counted
from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.models import AccessToken, User, password_digest

PREFIX: Final = "firebox_"
"""Lets people, and services that scan repositories for secrets, recognise a token."""
MAX_TOKENS: Final = 10
LIFETIME: Final = timedelta(days=200)
_RANDOM_BYTES: Final = 32
_USE_IS_RECENT: Final = timedelta(hours=1)
"""A use is recorded if the last recorded one is older, so that polling does not write."""


@transaction.atomic
def create_token(
    *, user: User, name: str, at: datetime, scope: str = AccessToken.Scope.UPLOAD
) -> str:
    """Create a token and return it. It cannot be shown again. Raises ValidationError, Refused."""
    seen = password_digest(user)
    user = User.objects.select_for_update().get(pk=user.pk)  # two requests at once
    if password_digest(user) != seen:  # the session that asks has ended in the meantime
        raise Refused("You were signed out: sign in again.")
    if valid_tokens(user, at=at).count() >= MAX_TOKENS:
        raise Refused(f"You have {counted(MAX_TOKENS, 'token')}, the maximum: revoke one first.")
    text = PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
    token = AccessToken(
        user=user,
        name=name.strip(),
        digest=_digest(text),
        scope=scope,
        password_digest=password_digest(user),
        created_at=at,
        expires_at=at + LIFETIME,
    )
    token.full_clean()
    token.save()
    return text


def revoke_token(*, user: User, pk: int) -> bool:
    """Delete one of the user's tokens; return whether it existed."""
    deleted, _ = AccessToken.objects.filter(user=user, pk=pk).delete()
    return deleted > 0


def valid_tokens(user: User, *, at: datetime) -> QuerySet[AccessToken]:
    """Return the user's tokens that have not ended, the newest first."""
    return AccessToken.objects.filter(
        user=user, expires_at__gt=at, password_digest=password_digest(user)
    )


def user_of_token(text: str, *, at: datetime, to_upload: bool = False) -> User | None:
    """Return the user of a valid token, if it is one. Raises NotAllowed if it may only read."""
    token = (
        AccessToken.objects.select_related("user")
        .filter(digest=_digest(text), expires_at__gt=at, user__is_active=True)
        .first()
    )
    if token is None or token.password_digest != password_digest(token.user):
        return None
    if to_upload and token.scope != AccessToken.Scope.UPLOAD:
        raise NotAllowed(
            "This token may only read results. Create one that may upload on your profile page."
        )
    old = Q(last_used_at__isnull=True) | Q(last_used_at__lt=at - _USE_IS_RECENT)
    AccessToken.objects.filter(old, pk=token.pk).update(last_used_at=at)
    return token.user


def _digest(text: str) -> str:
    """Tokens are long and random, so that a plain hash is enough."""
    return hashlib.sha256(text.encode()).hexdigest()
