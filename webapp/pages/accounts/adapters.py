"""Hooks of django-allauth: who may sign in with a provider, and how."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.contrib import messages
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.base.errors import Refused
from webapp.pages.pending import keep_pending
from webapp.people.accounts.identities import (
    Identity,
    Joined,
    OperatorsAccount,
    account_of,
    join_account,
)
from webapp.people.accounts.models import User
from webapp.people.accounts.rate_limits import note_failed_sign_in
from webapp.people.accounts.sign_in import provider_of
from webapp.people.accounts.throttling import client_address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # ships no types
    """Signing in, in any way."""

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Show that the account is switched off."""
        del user
        return render(request, "accounts/switched_off.html", status=403)

    def reauthenticate(self, user: User, password: str) -> bool:
        """Check the password of who is signed in; failures count like those of signing in."""
        request = context.request
        return authenticate(request, username=user.email, password=password) == user

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network by which attempts are counted everywhere on this site."""
        return client_address(request)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *arguments: Any,
        **options: Any,
    ) -> None:
        """Suppress messages about what the page itself shows: that the user is signed in or out."""
        if message_template and message_template.startswith("account/messages/logged_"):
            return
        options["extra_tags"] = "bad" if level >= messages.ERROR else "good"
        super().add_message(request, level, message_template, *arguments, **options)


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # ships no types
    """Signing in with a provider. The service decides; this only asks it."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Find the account; join it by its address; or lead to a page that says what to do."""
        if sociallogin.state.get("process") != AuthProcess.LOGIN:
            raise ImmediateHttpResponse(redirect("accounts:sign_in"))
        identity = identity_of(sociallogin)
        try:
            if sociallogin.is_existing:
                account_of(identity)
                SocialAccount.objects.filter(pk=sociallogin.account.pk).update(extra_data={})
                return
            joined = join_account(identity)
        except OperatorsAccount:
            keep_pending(request, identity, next_path=sociallogin.state.get("next") or "")
            raise ImmediateHttpResponse(redirect("accounts:join_identity")) from None
        except Refused as refusal:
            context = {"reason": str(refusal), "nav": "sign-in"}
            page = render(request, "accounts/provider_refused.html", context, status=403)
            raise ImmediateHttpResponse(page) from None
        if joined is None:
            keep_pending(request, identity, next_path=sociallogin.state.get("next") or "")
            raise ImmediateHttpResponse(redirect("accounts:register_with_provider"))
        tell_joined(request, joined, identity)
        sociallogin.account = SocialAccount.objects.get(
            provider=identity.provider, uid=identity.subject
        )
        sociallogin.user = joined.user

    def populate_user(
        self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]
    ) -> User:
        """Fill in the name and the address from the provider's data."""
        del request
        user: User = sociallogin.user
        parts = (data.get("first_name"), data.get("last_name"))
        name = data.get("name") or " ".join(part for part in parts if part)
        user.display_name = str(name)[:80]
        user.email = data.get("email") or ""
        return user

    def on_authentication_error(self, request: HttpRequest, *_: Any, **__: Any) -> None:
        """Count a possibly forged answer."""
        note_failed_sign_in(request)


def identity_of(sociallogin: SocialLogin) -> Identity:
    """Return the person that the provider names."""
    provider = provider_of(sociallogin.account.provider)
    stated = sociallogin.email_addresses[0] if sociallogin.email_addresses else None
    email = stated.email if stated else ""
    verdict = stated_verification(sociallogin.account.extra_data)
    return Identity(
        provider=provider.id,
        provider_name=provider.name,
        subject=sociallogin.account.uid,
        email=email,
        is_verified=provider.trusts(email) if verdict is None else verdict,
        name=sociallogin.user.display_name,
    )


def stated_verification(data: dict[str, Any]) -> bool | None:
    """Return what an OpenID provider states of the address; ``None`` if it states nothing.

    Some providers send the word in place of the value: "false" must not count as true.
    """
    claims = data.get("userinfo") or data.get("id_token") or {}
    stated = claims.get("email_verified") if isinstance(claims, dict) else None
    return None if stated is None else str(stated).lower() == "true"


def tell_joined(request: HttpRequest, joined: Joined, identity: Identity) -> None:
    """Add a message that the account has a new way to sign in, and what was removed."""
    text = f"From now on {identity.provider_name} signs you in to this account."
    if joined.lost_password:
        text += (
            " Nobody had confirmed its address before, so its password, access tokens and other"
            " sessions were removed. You can choose a new password with “Forgotten your password?”."
        )
    messages.success(request, text)
