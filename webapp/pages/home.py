"""The front page, for visitors and for people of courses; all boards that a reader may open."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.games import GAMES
from grader.core.words import either
from webapp.contests.leaderboards.public import boards_of, public_assignments
from webapp.contests.tournaments.selectors import public_tournaments
from webapp.pages.agenda import agenda_of
from webapp.pages.courses.forms.course import JoinForm
from webapp.pages.courses.overview import my_courses
from webapp.pages.front_cards import cards
from webapp.pages.front_game import stage
from webapp.people.accounts.models import User

LISTED = 100
"""Rows of each list of boards."""


@gzip_page
def home(request: HttpRequest) -> HttpResponse:
    """My deadlines and courses; for visitors, a game and the public boards."""
    if not isinstance(request.user, User):
        return render(request, "pages/welcome.html", _for_visitors(request))
    courses = my_courses(request.user)
    context = {
        "nav": "home",
        "courses": courses,
        "agenda": agenda_of(request.user, courses),
        "join_form": JoinForm(),
        "may_create": request.user.may_create_courses or request.user.is_superuser,
    }
    return render(request, "pages/home.html", context)


def _for_visitors(request: HttpRequest) -> dict[str, Any]:
    shown = cards(request.user)
    return {
        "nav": "welcome",
        "games": either(game.title for game in GAMES.values()),
        "stage": stage(),
        "cards": shown,
        "is_live": any(card.live for card in shown),
    }


@require_GET
def boards(request: HttpRequest) -> HttpResponse:
    """Public boards and tournaments, and the boards of the reader's courses."""
    own = list(boards_of(request.user)[:LISTED])
    public = [assignment for assignment in public_assignments()[:LISTED] if assignment not in own]
    tournaments = list(public_tournaments()[:LISTED])
    context = {
        "lists": [("In your courses", own), ("Public leaderboards", public)],
        "tournaments": tournaments,
        "cards": [] if request.user.is_authenticated else cards(request.user),
        "has_any": bool(own or public or tournaments),
        "nav": "boards",
    }
    return render(request, "pages/boards.html", context)
