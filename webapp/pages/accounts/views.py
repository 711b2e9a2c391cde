"""Views of accounts: register, sign in and out, profile. Passwords are Django's own views."""

from collections.abc import Callable
from typing import Any, ClassVar

from allauth.account.utils import perform_login
from django import forms
from django.contrib import messages
from django.contrib.auth import views as auth
from django.contrib.auth.forms import SetPasswordForm
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from webapp.base.timezones import offered_timezones
from webapp.contests.sharing.permissions import why_closed
from webapp.contests.sharing.selectors import links_of
from webapp.pages.accounts.export import archive_about, everything_about
from webapp.pages.accounts.forms import (
    ChangePasswordForm,
    NewPasswordForm,
    RegisterForm,
    ResetForm,
    SignInForm,
)
from webapp.pages.game_links import page_of, public_address
from webapp.pages.http import (
    attachment,
    current_user,
    is_saved,
    run_with_form_errors,
    run_with_message,
    signed_in,
)
from webapp.people.accounts import services
from webapp.people.accounts.identities import claim_address, has_confirmed_address
from webapp.people.accounts.invitations import accept_invitation, invited_user
from webapp.people.accounts.models import User
from webapp.people.accounts.rate_limits import note_wrong_code
from webapp.people.accounts.sign_in import (
    may_use_password,
    offered_providers,
    passwords_offered,
    providers_of,
)
from webapp.people.accounts.tokens import valid_tokens
from webapp.people.notifications.services import switches
from webapp.teaching.courses.models import Enrolment
from webapp.teaching.courses.permissions import is_staff_anywhere
from webapp.teaching.courses.services.registering import register_student


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """A new account and the first enrolment. Who has an account joins on the front page."""
    if request.user.is_authenticated:
        return redirect("home")
    code = request.GET.get("code", "")[:40]
    if code:
        request.session["invite_code"] = code  # for those who register with a provider
    form = RegisterForm(request.POST or None, initial={"invite_code": code})
    if not passwords_offered():
        return render(request, "accounts/register.html", _register_context(None))
    if form.is_valid():
        user = run_with_form_errors(form, lambda: register_student(**form.cleaned_data))
        if user is not None:
            return welcome(request, user)
    elif "invite_code" in form.errors:
        note_wrong_code(request)
    return render(request, "accounts/register.html", _register_context(form))


def _register_context(form: RegisterForm | None) -> dict[str, Any]:
    return {"form": form, "providers": offered_providers(), "nav": "register"}


def welcome(request: HttpRequest, user: User) -> HttpResponse:
    """Sign a new account in, and welcome it."""
    messages.success(request, f"Welcome, {user.display_name}. You are enrolled.")
    response: HttpResponse = perform_login(request, user)
    return response


class SignInView(auth.LoginView):
    """The ways to sign in; the password's form, if passwords are offered."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    has_form: ClassVar[bool | None] = None
    """``True`` shows the form in any case; ``None``: as the operators' setting says."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        has_form = passwords_offered() if self.has_form is None else self.has_form
        providers = [] if self.has_form else offered_providers()
        own = {"nav": "sign-in", "providers": providers, "has_form": has_form}
        return super().get_context_data(**kwargs) | own

    def form_valid(self, form: SignInForm) -> HttpResponseBase:  # type: ignore[override]
        """Sign in by the steps that every way of signing in has."""
        response: HttpResponseBase = perform_login(
            self.request, form.get_user(), redirect_url=self.get_success_url()
        )
        return response


sign_in = SignInView.as_view()
operator_sign_in = SignInView.as_view(has_form=True)
sign_out = auth.LogoutView.as_view()


@require_http_methods(["GET", "POST"])
def admin_login(request: HttpRequest) -> HttpResponse:
    """Lead to this site's own page: the admin has no other way in."""
    view = "accounts:sign_in" if passwords_offered() else "accounts:operator_sign_in"
    address = resolve_url(view)
    if (wanted := request.GET.get("next")) is not None:
        address += "?" + urlencode({"next": wanted})
    return redirect(address)


password_reset = auth.PasswordResetView.as_view(
    template_name="accounts/password_reset.html",
    form_class=ResetForm,
    email_template_name="accounts/password_reset_mail.txt",
    subject_template_name="accounts/password_reset_subject.txt",
    success_url=reverse_lazy("accounts:password_reset_done"),
)
password_reset_done = auth.PasswordResetDoneView.as_view(
    template_name="accounts/password_reset_done.html"
)


class ResetConfirmView(auth.PasswordResetConfirmView):
    """A new password. Who opened the link has the account's mailbox."""

    template_name = "accounts/password_reset_confirm.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("accounts:sign_in")

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        """Keep that the address is confirmed, and shut out who had the account before."""
        response = super().form_valid(form)
        claim_address(form.user)
        return response


password_reset_confirm = ResetConfirmView.as_view()
_password_change = auth.PasswordChangeView.as_view(
    template_name="accounts/password_change.html",
    form_class=ChangePasswordForm,
    success_url=reverse_lazy("accounts:profile"),
)


@signed_in("GET", "POST")
@transaction.atomic
def password_change(request: HttpRequest) -> HttpResponseBase:
    """Change the password, where the user may sign in with one."""
    user = current_user(request)
    if not may_use_password(user):
        messages.error(request, "This site does not use passwords.")
        return redirect("accounts:profile")
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if locked.password != user.password:  # this session has ended since the request began
        return redirect("accounts:sign_in")
    return _password_change(request)


@signed_in("GET")
def profile(request: HttpRequest) -> HttpResponse:
    """Show the user's own account."""
    user = current_user(request)
    context = {
        "enrolments": Enrolment.objects.filter(user=user).with_sections().select_related("course"),
        "switches": switches(user, is_staff=is_staff_anywhere(user)),
        "time_zones": offered_timezones(),
        "tokens": valid_tokens(user, at=timezone.now()),
        "identities": [provider.name for provider in providers_of(user)],
        "links": [
            (link, public_address(link), page_of(link.game), why_closed(link))
            for link in links_of(user)
        ],
        "has_password": may_use_password(user),
        "is_confirmed": has_confirmed_address(user),
        "nav": "profile",
    }
    return render(request, "accounts/profile.html", context)


@signed_in("POST")
def set_time_zone(request: HttpRequest) -> HttpResponse:
    """Choose the time zone in which I see times."""
    user, name = current_user(request), request.POST.get("time_zone", "")
    shown = name.replace("_", " ") or "each course's own zone"
    run_with_message(
        request,
        lambda: services.set_time_zone(user=user, name=name),
        done=f"Times are shown in {shown}.",
    )
    return redirect("accounts:profile")


@signed_in("GET")
def download(request: HttpRequest) -> HttpResponse:
    """Send all data about the user, as JSON."""
    return _download(request, everything_about, name="firebox-my-data.json")


@signed_in("GET")
def download_archive(request: HttpRequest) -> HttpResponse:
    """Send all data about the user, with their teams' programs, as a zip with a manifest."""
    return _download(request, archive_about, name="firebox-my-data.zip")


def _download(
    request: HttpRequest, about: Callable[[User], str | bytes], *, name: str
) -> HttpResponse:
    user = current_user(request)
    # Course files and class lists join what they have to the account with a person's address,
    # and another person may have registered it.
    if not has_confirmed_address(user):
        messages.error(request, f"Confirm first that {user.email} is your address.")
        return redirect("accounts:profile")
    return attachment(about(user), name=name)


class InvitationForm(NewPasswordForm):
    """A name and a password. The service keeps them."""

    display_name = forms.CharField(label="Name", max_length=80)
    field_order = ("display_name", "new_password1", "new_password2")


@sensitive_post_parameters("new_password1", "new_password2")
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Choose a password for an account that an instructor made. Works once."""
    user = invited_user(token)
    if user is None:
        return render(request, "accounts/invitation.html", {"nav": "register"}, status=404)
    form = InvitationForm(user, request.POST or None, initial={"display_name": user.display_name})

    def accept() -> None:
        values = form.cleaned_data
        name, password = values["display_name"], values["new_password1"]
        accept_invitation(user=user, display_name=name, password=password)

    if passwords_offered() and is_saved(form, accept):
        response: HttpResponse = perform_login(request, user)
        return response
    context = {
        "form": form if passwords_offered() else None,
        "invited": user,
        "providers": offered_providers(),
        "nav": "register",
    }
    return render(request, "accounts/invitation.html", context)
