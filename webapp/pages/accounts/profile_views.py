"""A person's own pages: profile, e-mails, access tokens."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from webapp.pages.accounts.confirmation import confirmed_recently
from webapp.pages.confirming import Question, ask, ask_first
from webapp.pages.http import current_user, run_with_message, signed_in
from webapp.people.accounts.models import AccessToken, User
from webapp.people.accounts.tokens import create_token, revoke_token, valid_tokens
from webapp.people.notifications.services import choose_topics
from webapp.people.notifications.unsubscribing import switch_off, topic_of
from webapp.teaching.courses.permissions import is_staff_anywhere
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


@signed_in("GET", "POST")
@never_cache
def create(request: HttpRequest) -> HttpResponse:
    """Create a token for a person who confirms that it is them.

    The page that asks them leads here without a form if it was sent twice.
    """
    return _create(request) if request.method == "POST" else redirect("accounts:profile")


@confirmed_recently
def _create(request: HttpRequest) -> HttpResponse:
    token = run_with_message(
        request,
        lambda: create_token(
            user=current_user(request),
            name=request.POST.get("name", ""),
            scope=request.POST.get("scope", AccessToken.Scope.UPLOAD),
            at=timezone.now(),
        ),
    )
    if token is None:
        return redirect("accounts:profile")
    context = {"token": token, "site_url": settings.SITE_URL, "nav": "profile"}
    return render(request, "accounts/token.html", context)


@signed_in("GET", "POST")
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a token of this user, once it was asked for a second time."""
    if request.method != "POST":
        tokens = valid_tokens(current_user(request), at=timezone.now())
        question = Question(
            title=f"Revoke the token “{get_object_or_404(tokens, pk=pk).name}”?",
            effects=(
                "Programs that use it can no longer upload or read anything for you.",
                "You can create another one and give it to them.",
            ),
            button="Revoke token",
            back=reverse("accounts:profile"),
            nav="profile",
        )
        return ask(request, question)
    revoke_token(user=current_user(request), pk=pk)
    messages.success(request, "Token revoked.")
    return redirect("accounts:profile")


@csrf_exempt  # the token says whose choice it is; a program for e-mail has no cookie
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Switch a topic off for the reader of an e-mail, once it was asked for."""
    topic = topic_of(token)
    if topic is None:
        raise Http404("not a link of ours")
    question = Question(
        title="Get no more of these e-mails?",
        effects=(f"You get no e-mail any more when: {topic.label}.",),
        undoing="You can switch them on again on your profile.",
        button="Switch off these e-mails",
        back=reverse("home"),
    )
    done = "You get no more of these e-mails."
    return ask_first(request, question, lambda: switch_off(token), done=done)


@signed_in("POST")
def choose(request: HttpRequest) -> HttpResponse:
    """Save which e-mails the user wants."""
    user, wanted = current_user(request), request.POST.getlist("topic")
    choose_topics(user=user, wanted=wanted, is_staff=is_staff_anywhere(user))
    messages.success(request, "Your choice of e-mails is saved.")
    return redirect("accounts:profile")
