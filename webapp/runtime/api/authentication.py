"""Requests of the API name an access token in their ``Authorization`` header."""

from typing import Final

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from webapp.people.accounts.models import User
from webapp.people.accounts.tokens import user_of_token

__all__ = ["AccessTokenAuth"]

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class AccessTokenAuth(HttpBearer):
    """``Authorization: Bearer firebox_…``. A session's cookie does not count here."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        """Return the token's user, who is also made the request's.

        Raises NotAllowed if the token may only read and the request does more.
        """
        to_upload = request.method not in _READS
        user = user_of_token(token, at=timezone.now(), to_upload=to_upload)
        if user is not None:
            request.user = user
        return user
