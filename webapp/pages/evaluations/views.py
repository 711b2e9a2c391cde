"""Views of evaluations: one of them, its games, and what staff do with all of an assignment's."""

import re
from dataclasses import dataclass
from typing import Any, Final, Self
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from webapp import pipeline
from webapp.courses.permissions import is_staff_of
from webapp.errors import NotAllowed, Refused
from webapp.evaluations import permissions, selectors, services
from webapp.evaluations.comparing import GameApart, Pair, games_apart, on_same_deals
from webapp.evaluations.models import STOPPED, Evaluation, GameResult
from webapp.evaluations.watching import watched_evaluation
from webapp.pages.evaluations.forms import CompareForm, choices_of
from webapp.pages.http import attachment, attempt, person
from webapp.pages.live_games import live_game
from webapp.pages.lookup import visible_assignment
from webapp.pages.replays import elsewhere_file, replay_context
from webapp.pages.sections import section_of
from webapp.pages.watching import Watch, answer, watch_evaluations

GAMES_PER_PAGE = 50
_SCORES: Final = re.compile(r"(-?\d{1,6})(?:\.\.(-?\d{1,6}))?", re.ASCII)
"""A score, or ``10..14``: from one to another."""
GAMES_APART = 10
OTHERS_LISTED = 200
"""Evaluations that are offered to be shown beside a game."""


def visible_evaluation(request: HttpRequest, uuid: UUID) -> Evaluation:
    """The evaluation with its course and agent, or 404 for whoever may not see it."""
    found = Evaluation.objects.visible_to(person(request))
    related = found.select_related("assignment__course", "submission__team")
    return get_object_or_404(related, uuid=uuid)


def with_games(request: HttpRequest, uuid: UUID) -> Evaluation:
    """As above; refused to whoever may not see its single games."""
    found = visible_evaluation(request, uuid)
    if not permissions.may_see_games(request.user, found):
        raise NotAllowed(
            "Single graded games can be seen once your instructor has revealed the secret of"
            " their deals."
        )
    return found


def context_of(request: HttpRequest, found: Evaluation) -> dict[str, Any]:
    """Return the values of every page about an evaluation."""
    return {
        "evaluation": found,
        "assignment": found.assignment,
        "course": found.assignment.course,
        "submission": found.submission,
        "is_staff": is_staff_of(request.user, found.assignment.course),
        "nav": "home",
    }


@login_required
@require_GET
def evaluation(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Figures and evidence of one evaluation."""
    return render_live(request, uuid, "evaluations/evaluation.html")


def render_live(request: HttpRequest, uuid: UUID, template: str) -> HttpResponse:
    """Render the page of an evaluation, or its changing part."""
    found = visible_evaluation(request, uuid)
    context = {
        **context_of(request, found),
        "section": section_of(request, found),
        "watch": watch_of(found),
    }
    return render(request, template, context)


def watch_of(found: Evaluation | None) -> Watch | None:
    """Say how its page is watched; ``None`` when it is over."""
    if found is None:
        return None
    return watch_evaluations(reverse("evaluations:live", args=[found.uuid]), [found])


@login_required
@require_GET
@never_cache
def live(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Its changing part: asks for itself again until the evaluation is over."""
    return answer(
        request,
        watch_of(watched_evaluation(person(request), uuid)),
        lambda: render_live(request, uuid, "evaluations/_live.html"),
    )


@login_required
@require_GET
def compare(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Two agents on common deals, out of all whose figures this person may see."""
    found = visible_assignment(request, course, assignment)
    offered = Evaluation.objects.visible_to(person(request)).current()
    form = CompareForm(request.GET or None, choices=choices_of(offered, found))
    pair = form.pair() if form.is_valid() else None
    context = {
        "assignment": found,
        "course": found.course,
        "form": form,
        "pair": pair,
        "apart": apart(request, pair),
        "is_staff": is_staff_of(request.user, found.course),
        "nav": "home",
    }
    return render(request, "evaluations/compare.html", context)


def apart(request: HttpRequest, pair: Pair | None) -> list[GameApart]:
    """The games in which two agents differ most, for whoever may see the games of both."""
    if pair is None:
        return []
    both = (pair.ours, pair.other)
    if not all(permissions.may_see_games(request.user, each) for each in both):
        return []
    return games_apart(*both, limit=GAMES_APART)


@login_required
@require_GET
def games(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """All its games, some at a time."""
    found = with_games(request, uuid)
    chosen = Chosen.by(request.GET, found)
    page = Paginator(chosen.games, GAMES_PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = list(page.object_list)
    context = {**context_of(request, found), "page": page, "chosen": chosen}
    return render(request, "evaluations/games.html", context)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The games of an evaluation that a list shows: all, or those of some kind."""

    games: QuerySet[GameResult]
    title: str = "Games"
    query: str = ""
    """Begins the query of the other pages of the list."""

    @classmethod
    def by(cls, asked: QueryDict, found: Evaluation) -> Self:
        """Choose by the address's query; what it does not understand it leaves out."""
        results, show, score = selectors.games(found), asked.get("show"), asked.get("score", "")
        if show == "faults":
            results, title = results.exclude(fault_kind=""), "Games that ended with a fault"
        elif show == "prints":
            results, title = results.exclude(prints=b""), "Games with what was printed"
        elif span := _SCORES.fullmatch(score):
            low, high = int(span[1]), int(span[2] or span[1])
            ended = results.exclude(ending=STOPPED).filter(score__range=(low, high))
            words = f"{low}" if low == high else f"{low} to {high}"
            return cls(games=ended, title=f"Games that scored {words}", query=f"score={score}&")
        else:
            return cls(games=results)
        return cls(games=results, title=title, query=f"show={show}&")


def game_of(found: Evaluation, index: int) -> GameResult:
    """One game, or 404."""
    try:
        return selectors.game(found, index)
    except GameResult.DoesNotExist:
        raise Http404("This game has not been played.") from None


def others_of(request: HttpRequest, found: Evaluation) -> list[Evaluation]:
    """Evaluations of which a game can be shown beside one of this; those have deals in common."""
    offered = Evaluation.objects.visible_to(person(request)).current()
    same = offered.filter(assignment=found.assignment, kind=found.kind)
    newest = same.select_related("submission__team").order_by("-requested_at")
    return on_same_deals(found, newest[:OTHERS_LISTED])


@login_required
@require_GET
@gzip_page
def game(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """One game in the viewer and as text, its fault's evidence, and how to play it again."""
    found = with_games(request, uuid)
    result = game_of(found, index)
    context = {
        **context_of(request, found),
        "result": result,
        **replay_context(
            lambda: selectors.replay_of(result),
            evidence=result.evidence,
            printed=result.printed,
            deal_is_public=permissions.is_deal_public(found),
        ),
        "command": selectors.reproduce_command(found, index),
        "last": found.n_games - 1,
        "others": others_of(request, found),
        "live": live_game(
            request,
            result,
            next_address=reverse("evaluations:watch_next", args=[found.uuid]),
            is_open=found.is_open,
        ),
    }
    return render(request, "evaluations/game.html", context)


@login_required
@require_GET
def record(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """One game's record, to keep."""
    result = game_of(with_games(request, uuid), index)
    name = f"game-{index}.json"
    return attachment(result.record_json, name=name, content_type="application/json")


@login_required
@require_GET
def elsewhere(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """One game's file for another site that shows games of its kind."""
    result = game_of(with_games(request, uuid), index)
    return elsewhere_file(selectors.replay_of(result), index=index)


@login_required
@require_GET
def export(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The whole evaluation for ``firebox verify``."""
    found = with_games(request, uuid)
    text = attempt(request, lambda: exported(found))
    if text is None:
        return redirect("evaluations:evaluation", uuid)
    return attachment(text, name=f"evaluation-{uuid}.json", content_type="application/json")


def exported(found: Evaluation) -> str:
    """Its file. Raises Refused while there is nothing to prove."""
    if found.is_open or found.mean is None:
        raise Refused("There is a file to verify once the evaluation has finished with games.")
    return selectors.export_json(found)


@login_required
@require_POST
def requeue(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Send the missing games of a failed evaluation again."""
    found = visible_evaluation(request, uuid)
    attempt(
        request,
        lambda: pipeline.requeue(evaluation=found, by=person(request)),
        done="The missing games are queued again.",
    )
    return back(request, found)


@login_required
@require_POST
def cancel(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Stop an evaluation."""
    found = visible_evaluation(request, uuid)
    attempt(
        request,
        lambda: services.cancel(evaluation=found, by=person(request)),
        done="The evaluation was cancelled.",
    )
    return back(request, found)


def back(request: HttpRequest, found: Evaluation) -> HttpResponse:
    """To the page on which the form was: the staff's, the submission's, else the evaluation's."""
    origin = request.POST.get("from")
    if origin == "staff":
        return redirect("evaluations:staff", found.assignment.course.slug, found.assignment.slug)
    if origin == "submission" and found.submission is not None:
        return redirect("submissions:submission", found.submission.pk)
    return redirect("evaluations:evaluation", found.uuid)
