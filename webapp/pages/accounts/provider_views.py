"""Views of signing in with a provider: the way there, what went wrong, and a first account."""

import logging

from allauth.account.utils import perform_login
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from allauth.socialaccount.providers.saml import views as saml
from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods
from requests import RequestException

from webapp.flow import emails
from webapp.pages.accounts.confirmation import confirmed_recently
from webapp.pages.accounts.forms import RegisterForm
from webapp.pages.confirming import Question, ask
from webapp.pages.http import current_user, run_with_form_errors, run_with_message
from webapp.pages.pending import forget_pending, pending_of
from webapp.people.accounts.identities import Identity
from webapp.people.accounts.rate_limits import note_wrong_code
from webapp.people.accounts.sign_in import provider_of
from webapp.teaching.courses.services.registering import register_with_identity

logger = logging.getLogger(__name__)


@never_cache
@require_GET
def openid_login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Lead to an OpenID provider, whose configuration is read first."""
    try:
        provider = provider_of(provider_id)
    except LookupError:
        raise Http404 from None
    try:
        response: HttpResponse = openid_connect.login(request, provider_id)
    except (RequestException, KeyError, ValueError) as error:
        logger.warning("sign-in provider %s does not answer: %s", provider_id, error)
        context = {"provider": provider, "nav": "sign-in"}
        return render(request, "accounts/provider_down.html", context, status=503)
    return response


@never_cache
@require_GET
def saml_finish(request: HttpRequest, organization_slug: str) -> HttpResponse:
    """Read the response that a SAML provider has sent; invalid XML is refused."""
    try:
        response: HttpResponse = saml.finish_acs(request, organization_slug)
    except (SyntaxError, ValueError) as error:  # lxml's are syntax errors
        logger.warning("unreadable response of %s: %s", organization_slug, error)
        provider = get_adapter(request).get_provider(request, organization_slug)
        response = render_authentication_error(request, provider, exception=error)
    return response


@require_GET
def cancelled(request: HttpRequest) -> HttpResponse:
    """Return to the page of ways to sign in."""
    messages.warning(request, "You did not sign in.")
    return redirect("accounts:sign_in")


class RegisterWithProviderForm(forms.Form):
    """The rest of what an account needs: the provider has vouched for the address."""

    invite_code = RegisterForm.base_fields["invite_code"]
    display_name = RegisterForm.base_fields["display_name"]
    student_number = RegisterForm.base_fields["student_number"]


@never_cache
@require_http_methods(["GET", "POST"])
def register_with_provider(request: HttpRequest) -> HttpResponse:
    """Create an account for a person whom a provider has identified, by an invite code."""
    pending = pending_of(request)
    if pending is None or request.user.is_authenticated:
        return redirect("accounts:sign_in")
    identity = pending.identity
    code = request.session.get("invite_code", "")
    initial = {"display_name": identity.name, "invite_code": code}
    form = RegisterWithProviderForm(request.POST or None, initial=initial)
    if form.is_valid():
        user = run_with_form_errors(
            form, lambda: register_with_identity(identity=identity, **form.cleaned_data)
        )
        if user is not None:
            forget_pending(request)
            messages.success(request, f"Welcome, {user.display_name}. You are enrolled.")
            next_path = pending.next_path or None
            response: HttpResponse = perform_login(request, user, redirect_url=next_path)
            return response
        note_wrong_code(request)
    context = {"form": form, "identity": identity, "nav": "register"}
    return render(request, "accounts/register_with_provider.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def join_identity(request: HttpRequest) -> HttpResponse:
    """Ask an operator whether a provider or platform may sign them in, in a session of theirs."""
    pending = pending_of(request)
    if not request.user.is_authenticated:
        address, here = reverse("accounts:operator_sign_in"), reverse("accounts:join_identity")
        return redirect(f"{address}?{urlencode({'next': here})}" if pending else address)
    if pending is None:
        return redirect("accounts:profile")
    if request.method == "POST":
        return _join(request, pending.identity)
    name = pending.identity.provider_name
    question = Question(
        title=f"Let {name} sign you in?",
        effects=(
            f"{name} says that you are {pending.identity.email}.",
            f"The people who run {name} could then sign in here with your rights.",
            "You are asked for your password or a code, and get an e-mail.",
        ),
        undoing="An operator can undo this by switching the provider or platform off.",
        button=f"Let {name} sign me in",
        back=reverse("accounts:profile"),
        nav="profile",
    )
    return ask(request, question)


@confirmed_recently
def _join(request: HttpRequest, identity: Identity) -> HttpResponse:
    user = current_user(request)
    run_with_message(
        request,
        lambda: emails.join_and_tell(user=user, identity=identity),
        done=f"From now on {identity.provider_name} signs you in to this account.",
    )
    forget_pending(request)
    return redirect("accounts:profile")
