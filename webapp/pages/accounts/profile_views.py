"""Views that change the name and the address of the user's own account."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache

from webapp.pages.accounts.confirmation import confirmed_recently
from webapp.pages.confirming import Question, ask
from webapp.pages.http import current_user, run_with_message, signed_in
from webapp.people.accounts.models import User
from webapp.teaching.courses.services import correcting


@signed_in("POST")
def change_name(request: HttpRequest) -> HttpResponse:
    """Change my name."""
    user, name = current_user(request), request.POST.get("name", "")
    run_with_message(
        request,
        lambda: correcting.change_own_name(user=user, name=name),
        done="Your name is saved.",
    )
    return redirect("accounts:profile")


@signed_in("GET", "POST")
def request_address(request: HttpRequest) -> HttpResponse:
    """Send a link to a new address, for a person who confirms that it is them.

    The page that asks them leads here without a form if it was sent twice.
    """
    return _request_address(request) if request.method == "POST" else redirect("accounts:profile")


@confirmed_recently
def _request_address(request: HttpRequest) -> HttpResponse:
    user, email = current_user(request), request.POST.get("email", "")
    address = run_with_message(
        request, lambda: correcting.request_own_address(user=user, email=email)
    )
    if address:
        messages.success(
            request,
            f"A link is on its way to {address}. Open it within {correcting.VALID_HOURS} hours;"
            " until then your address stays as it is.",
        )
    return redirect("accounts:profile")


@signed_in("GET", "POST")
@never_cache
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """Take the address that the link was sent to, once its owner says so.

    The link alone changes nothing: programs that check mails open links, and so may a stranger.
    """
    user = current_user(request)
    address = correcting.requested_address(token, user)
    if request.method != "POST" and address is not None:
        return ask(request, _question(user, address))
    run_with_message(
        request,
        lambda: correcting.change_own_address(user=user, token=token),
        done="Your address is confirmed."
        if address == user.email
        else f"Your address is {address} now. Sign in with it from now on.",
    )
    return redirect("accounts:profile")


def _question(user: User, address: str) -> Question:
    """Ask before another address becomes the user's."""
    if address == user.email:
        return Question(
            title=f"Is {address} your address?",
            effects=(f"You are signed in as {user.display_name}.",),
            undoing="If you did not create this account yourself, do not confirm it.",
            button="Confirm my address",
            back=reverse("accounts:profile"),
            nav="profile",
        )
    return Question(
        title=f"Change your address to {address}?",
        effects=(f"You sign in with {address}, and get e-mails there, instead of {user.email}.",),
        undoing="You can change it again on your profile.",
        button="Change my address",
        back=reverse("accounts:profile"),
        nav="profile",
    )
