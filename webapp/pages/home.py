"""The front page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from grader.core.games import GAMES
from webapp.accounts.models import User
from webapp.pages.courses.forms import JoinForm
from webapp.pages.courses.overview import my_courses


def home(request: HttpRequest) -> HttpResponse:
    """My courses with their assignments; for visitors, what this is."""
    if not isinstance(request.user, User):
        games = " or ".join(game.title for game in GAMES.values())
        return render(request, "pages/welcome.html", {"nav": "welcome", "games": games})
    context = {
        "nav": "home",
        "courses": my_courses(request.user),
        "join_form": JoinForm(),
        "may_create": request.user.may_create_courses or request.user.is_superuser,
    }
    return render(request, "pages/home.html", context)
