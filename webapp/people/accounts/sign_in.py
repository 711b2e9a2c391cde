"""Ways to sign in that the operators offer: providers, and passwords unless switched off."""

from collections.abc import Sequence

from allauth.socialaccount.models import SocialAccount
from django.conf import settings

from webapp.base.providers import Provider
from webapp.people.accounts.models import User


def offered_providers() -> Sequence[Provider]:
    """Return the providers in the order of settings."""
    return tuple(settings.SIGN_IN_PROVIDERS)


def provider_of(name: str) -> Provider:
    """Return the provider of this id. Raises LookupError."""
    for provider in offered_providers():
        if provider.id == name:
            return provider
    raise LookupError(f"no provider {name!r} is configured")


def providers_of(user: User) -> list[Provider]:
    """Return the providers that sign this user in."""
    joined = set(SocialAccount.objects.filter(user=user).values_list("provider", flat=True))
    return [provider for provider in offered_providers() if provider.id in joined]


def passwords_offered() -> bool:
    """Return whether people may sign in with passwords."""
    return bool(settings.PASSWORD_SIGN_IN)


def may_use_password(user: User) -> bool:
    """Return whether this user may sign in with a password: operators always may."""
    return passwords_offered() or user.is_superuser
