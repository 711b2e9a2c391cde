"""The page behind the link in an invitation: choose a name and a password, and begin."""

from allauth.account.utils import perform_login
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from webapp.pages.accounts.forms import NewPasswordForm
from webapp.pages.http import run_with_form_errors
from webapp.people.accounts.invitations import accept_invitation, invited_user
from webapp.people.accounts.models import User
from webapp.people.accounts.sign_in import offered_providers, passwords_offered


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
    if passwords_offered() and form.is_valid():
        values = form.cleaned_data
        accepted = run_with_form_errors(form, lambda: _accept(user, values))
        if accepted:
            response: HttpResponse = perform_login(request, user)
            return response
    context = {
        "form": form if passwords_offered() else None,
        "invited": user,
        "providers": offered_providers(),
        "nav": "register",
    }
    return render(request, "accounts/invitation.html", context)


def _accept(user: User, values: dict[str, str]) -> bool:
    accept_invitation(
        user=user, display_name=values["display_name"], password=values["new_password1"]
    )
    return True
