"""Views of an evaluation that is watched while it is played."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from webapp.evaluations.models import Evaluation
from webapp.pages.evaluations.views import with_games
from webapp.pages.live_games import asked_after, first_answer, newest, next_answer


@login_required
@require_GET
@never_cache
def watch(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Lead to the newest game."""
    evaluation = with_games(request, uuid)
    otherwise = reverse("evaluations:evaluation", args=[uuid])
    if evaluation.submission is not None:
        otherwise = reverse("submissions:submission", args=[evaluation.submission.pk])
    return first_answer(request, game=address_of_newest(evaluation), otherwise=otherwise)


@login_required
@require_GET
@never_cache
def watch_next(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Tell which game is newer than the one that is shown."""
    evaluation = with_games(request, uuid)
    address = address_of_newest(evaluation, after=asked_after(request))
    return next_answer(game=address, is_open=evaluation.is_open)


def address_of_newest(evaluation: Evaluation, *, after: int = 0) -> str:
    """The page of the newest game; empty if there is none."""
    game = newest(evaluation.results.only("index"), after=after)
    if game is None:
        return ""
    return reverse("evaluations:game", args=[evaluation.uuid, game.index])
