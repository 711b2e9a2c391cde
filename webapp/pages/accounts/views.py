"""Views of accounts: register, sign in and out, profile. Passwords are Django's own views."""

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from webapp.accounts import services
from webapp.accounts.models import User
from webapp.accounts.rate_limits import note_wrong_code
from webapp.accounts.tokens import valid_tokens
from webapp.courses.models import Enrolment
from webapp.courses.services.registering import register_student
from webapp.notifications.services import switches
from webapp.pages.accounts.export import everything_about
from webapp.pages.accounts.forms import RegisterForm, ResetForm, SignInForm
from webapp.pages.http import attachment, current_user, run_with_form_errors, run_with_message
from webapp.timezones import offered_timezones

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """A new account and the first enrolment. Who has an account joins on the front page."""
    if request.user.is_authenticated:
        return redirect("home")
    form = RegisterForm(request.POST or None, initial={"invite_code": request.GET.get("code", "")})
    if form.is_valid():
        user = run_with_form_errors(form, lambda: register_student(**form.cleaned_data))
        if user is not None:
            return welcome(request, user)
    elif "invite_code" in form.errors:
        note_wrong_code(request)
    return render(request, "accounts/register.html", {"form": form, "nav": "register"})


def welcome(request: HttpRequest, user: User) -> HttpResponse:
    """Sign a fresh account in and say what comes next."""
    login(request, user, backend=MODEL_BACKEND)
    messages.success(request, f"Welcome, {user.display_name}. You are enrolled.", "good")
    return redirect("home")


sign_in = auth.LoginView.as_view(
    template_name="accounts/sign_in.html",
    authentication_form=SignInForm,
    redirect_authenticated_user=True,
    extra_context={"nav": "sign-in"},
)
sign_out = auth.LogoutView.as_view()

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
password_reset_confirm = auth.PasswordResetConfirmView.as_view(
    template_name="accounts/password_reset_confirm.html",
    success_url=reverse_lazy("accounts:sign_in"),
)
password_change = auth.PasswordChangeView.as_view(
    template_name="accounts/password_change.html", success_url=reverse_lazy("accounts:profile")
)


@login_required
@require_GET
def profile(request: HttpRequest) -> HttpResponse:
    """Show the user's own account."""
    user = current_user(request)
    context = {
        "enrolments": Enrolment.objects.filter(user=user).select_related("course", "section"),
        "switches": switches(user),
        "time_zones": offered_timezones(),
        "tokens": valid_tokens(user, at=timezone.now()),
        "nav": "profile",
    }
    return render(request, "accounts/profile.html", context)


@login_required
@require_POST
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


@login_required
@require_GET
def download(request: HttpRequest) -> HttpResponse:
    """Everything about me, as JSON."""
    text = everything_about(current_user(request))
    return attachment(text, name="firebox-my-data.json", content_type="application/json")
