"""Access tokens: shown once, kept as a digest, revocable, and over after a term."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import PBKDF2SHA1PasswordHasher, make_password
from django.core.exceptions import ValidationError
from pytest_django import Settings

from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.models import AccessToken, User
from webapp.people.accounts.tokens import (
    LIFETIME,
    MAX_TOKENS,
    PREFIX,
    create_token,
    revoke_token,
    user_of_token,
    valid_tokens,
)

HOUR = timedelta(hours=1)


def test_a_token_names_its_user_and_is_stored_as_a_digest(ada: User) -> None:
    token = create_token(user=ada, name="laptop", at=NOW)
    assert token.startswith(PREFIX)
    (row,) = AccessToken.objects.values()
    assert token.removeprefix(PREFIX) not in str(row)
    assert user_of_token(token, at=NOW) == ada
    assert user_of_token(token + "x", at=NOW) is None
    assert create_token(user=ada, name="laptop", at=NOW) != token


def test_an_expired_token_names_nobody(ada: User) -> None:
    token = create_token(user=ada, name="laptop", at=NOW)
    assert user_of_token(token, at=NOW + LIFETIME - HOUR) == ada
    assert user_of_token(token, at=NOW + LIFETIME) is None
    assert not valid_tokens(ada, at=NOW + LIFETIME).exists()


def test_a_token_that_its_user_revoked_names_nobody(ada: User, ida: User) -> None:
    token = create_token(user=ada, name="laptop", at=NOW)
    assert not revoke_token(user=ida, pk=AccessToken.objects.get().pk)
    assert user_of_token(token, at=NOW) == ada
    assert revoke_token(user=ada, pk=AccessToken.objects.get().pk)
    assert user_of_token(token, at=NOW) is None


def test_an_account_that_is_switched_off_has_no_valid_token(ada: User) -> None:
    token = create_token(user=ada, name="laptop", at=NOW)
    ada.is_active = False
    ada.save()
    assert user_of_token(token, at=NOW) is None


def new_password(user: User) -> None:
    user.set_password("a-walk-in-the-rain")
    user.save()


def no_password(user: User) -> None:
    user.set_unusable_password()
    user.save(update_fields=["password"])


@pytest.mark.parametrize("change", [new_password, no_password])
def test_a_token_ends_with_the_password_however_that_is_changed(
    ada: User, change: Callable[[User], None]
) -> None:
    token = create_token(user=ada, name="laptop", at=NOW)
    change(ada)
    assert user_of_token(token, at=NOW) is None
    assert not valid_tokens(ada, at=NOW).exists()
    assert user_of_token(create_token(user=ada, name="laptop", at=NOW), at=NOW) == ada


class Older(PBKDF2SHA1PasswordHasher):
    iterations = 1


def test_a_token_outlives_a_new_hash_of_the_same_password(ada: User, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, f"{__name__}.Older"]
    ada.password = make_password("a-walk-in-the-rain", hasher=Older.algorithm)
    ada.save()
    token = create_token(user=ada, name="laptop", at=NOW)
    assert not ada.check_password("a-guess")
    assert ada.check_password("a-walk-in-the-rain")
    assert not User.objects.get(pk=ada.pk).password.startswith(Older.algorithm)
    assert user_of_token(token, at=NOW) == ada


def test_a_token_that_may_only_read_does_not_upload(ada: User) -> None:
    token = create_token(user=ada, name="scores", at=NOW, scope="read")
    assert user_of_token(token, at=NOW) == ada
    with pytest.raises(NotAllowed, match="only read"):
        user_of_token(token, at=NOW, to_upload=True)
    assert user_of_token(token + "x", at=NOW, to_upload=True) is None


def test_a_use_is_recorded_once_an_hour(ada: User) -> None:
    token = create_token(user=ada, name="laptop", at=NOW)
    uses = []
    for at in (NOW, NOW + HOUR / 2, NOW + 2 * HOUR):
        user_of_token(token, at=at)
        uses.append(AccessToken.objects.get().last_used_at)
    assert uses == [NOW, NOW, NOW + 2 * HOUR]


def test_a_user_has_at_most_ten_that_have_not_expired(ada: User) -> None:
    for _ in range(MAX_TOKENS):
        create_token(user=ada, name="laptop", at=NOW)
    with pytest.raises(Refused, match="revoke one first"):
        create_token(user=ada, name="laptop", at=NOW)
    create_token(user=ada, name="laptop", at=NOW + LIFETIME)


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "right\u202eleft"])
def test_a_name_that_cannot_be_shown_is_refused(ada: User, name: str) -> None:
    with pytest.raises(ValidationError):
        create_token(user=ada, name=name, at=NOW)
    assert not AccessToken.objects.exists()
