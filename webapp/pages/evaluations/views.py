"""Views of evaluations: one of them, its list of games, its file; and two agents compared."""

import re
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from grader.core.games.outcomes import counts_wins, score_words
from grader.core.words import counted
from webapp.base.errors import NotAllowed, Refused
from webapp.flow import pipeline
from webapp.grading.evaluations import permissions, selectors, services
from webapp.grading.evaluations.comparing import GameApart, Pair, games_apart
from webapp.grading.evaluations.models import STOPPED, Audit, Evaluation, GameResult
from webapp.grading.evaluations.reproducing import export_json
from webapp.grading.evaluations.watching import watched_evaluation
from webapp.pages.confirming import Question, ask_first
from webapp.pages.evaluation_parts import part_of
from webapp.pages.evaluations.forms import CompareForm, choices_of
from webapp.pages.flags import ask_about_flags
from webapp.pages.http import (
    assignment_context,
    attachment,
    current_user,
    run_with_message,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import visible_assignment
from webapp.pages.submissions.verdicts import editing_address, run_line
from webapp.pages.submissions.views import context_of as submission_context
from webapp.pages.submissions.views import may_edit, visible_submission
from webapp.pages.watching import Watch, answer, watch_evaluations

GAMES_PER_PAGE = 50
_SCORES: Final = re.compile(r"(-?\d{1,6})(?:\.\.(-?\d{1,6}))?", re.ASCII)
"""A score, or ``10..14``: from one to another."""
GAMES_APART = 10


def visible_evaluation(request: HttpRequest, uuid: UUID) -> Evaluation:
    """Return the evaluation with its course and agent. Raises Http404."""
    user, related = current_user(request), ("assignment__course", "submission__team")
    evaluations = Evaluation.objects.visible_to(user).select_related(*related)
    if (found := evaluations.filter(uuid=uuid).first()) is not None:
        return found
    return get_object_or_404(permissions.tries_of(user).select_related(*related), uuid=uuid)


def with_games(request: HttpRequest, uuid: UUID) -> Evaluation:
    """Return the evaluation. Raises Http404, and NotAllowed if the reader may not see its games."""
    evaluation = visible_evaluation(request, uuid)
    if not permissions.may_see_games(request.user, evaluation):
        raise NotAllowed(
            "Single graded games can be seen once your instructor has revealed the secret of"
            " their deals."
        )
    return evaluation


def context_of(request: HttpRequest, evaluation: Evaluation) -> dict[str, Any]:
    """Return the values of every page about an evaluation."""
    submission = evaluation.submission
    if submission is not None:
        submission.team.assignment = evaluation.assignment  # the same row, read already
    return {
        **assignment_context(evaluation.assignment),
        "evaluation": evaluation,
        "submission": submission,
        "edit_url": editing_address(submission)
        if submission is not None and may_edit(request, submission)
        else "",
        "is_staff": viewer_of(request, evaluation.assignment.course).is_staff,
    }


@signed_in("GET")
def evaluation(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show the evaluation on its submission's page; a house agent's on one of its own."""
    return _render(request, uuid)


def _render(request: HttpRequest, uuid: UUID, *, live: bool = False) -> HttpResponse:
    evaluation = visible_evaluation(request, uuid)
    watch = _watch_of(request, evaluation)
    if evaluation.submission_id is not None:
        submission = visible_submission(request, evaluation.submission_id)
        context = submission_context(request, submission, chosen=evaluation) | {"watch": watch}
        template = "submissions/_live.html" if live else "submissions/submission.html"
        return render(request, template, context)
    context = {
        **context_of(request, evaluation),
        "verdict": run_line(evaluation),
        "part": part_of(request, evaluation),
        "watch": watch,
    }
    template = "evaluations/_live.html" if live else "evaluations/evaluation.html"
    return render(request, template, context)


def _watch_of(request: HttpRequest, evaluation: Evaluation | None) -> Watch | None:
    if evaluation is None:
        return None
    address = reverse("evaluations:live", args=[evaluation.uuid])
    return watch_evaluations(address, [evaluation], current_user(request))


@signed_in("GET")
@never_cache
def live(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Its changing part: asks for itself again until the evaluation is over."""
    return answer(
        request,
        _watch_of(request, watched_evaluation(current_user(request), uuid)),
        lambda: _render(request, uuid, live=True),
    )


@signed_in("GET")
def compare(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Two agents on common deals, out of all whose figures this person may see."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    offered = Evaluation.objects.visible_to(current_user(request)).current()
    choices = choices_of(offered, assignment)
    form = CompareForm(request.GET or None, choices=choices)
    pair = form.cleaned_data["pair"] if form.is_valid() else None
    context = {
        **assignment_context(assignment),
        "form": form if choices else None,
        "pair": pair,
        "apart": apart(request, pair),
        "is_staff": viewer_of(request, assignment.course).is_staff,
    }
    return render(request, "evaluations/compare.html", context)


def apart(request: HttpRequest, pair: Pair | None) -> list[GameApart]:
    """Return the games in which two agents differ most, if the reader may see the games of both."""
    if pair is None:
        return []
    both = (pair.ours, pair.other)
    if not all(permissions.may_see_games(request.user, evaluation) for evaluation in both):
        return []
    return games_apart(*both, limit=GAMES_APART)


@signed_in("GET")
def games(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """All its games, some at a time."""
    evaluation = with_games(request, uuid)
    chosen = ChosenGames.by(request.GET, evaluation)
    page = Paginator(chosen.games, GAMES_PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = list(page.object_list)
    context = {**context_of(request, evaluation), "page": page, "chosen": chosen}
    return render(request, "evaluations/games.html", context)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenGames:
    """The games of an evaluation that a list shows: all, or those of some kind."""

    games: QuerySet[GameResult]
    title: str = "Games"
    query: str = ""
    """Begins the query of the other pages of the list."""

    @classmethod
    def by(cls, asked: QueryDict, evaluation: Evaluation) -> Self:
        """Choose by the address's query; parts that are not understood are ignored."""
        results = selectors.games(evaluation)
        show, score = asked.get("show"), asked.get("score", "")
        if show == "faults":
            results, title = results.exclude(fault_kind=""), "Games that ended with a fault"
        elif show == "prints":
            results, title = results.exclude(prints=b""), "Games with output"
        elif span := _SCORES.fullmatch(score):
            low, high = int(span[1]), int(span[2] or span[1])
            ended = results.exclude(ending=STOPPED).filter(score__range=(low, high))
            return cls(games=ended, title=_title(evaluation, low, high), query=f"score={score}&")
        else:
            return cls(games=results)
        return cls(games=results, title=title, query=f"show={show}&")


def _title(evaluation: Evaluation, low: int, high: int) -> str:
    game = evaluation.assignment.rules
    words = " to ".join(dict.fromkeys(score_words(game, end) for end in (low, high)))
    return f"Games that were {words}" if counts_wins(game) else f"Games that scored {words}"


@signed_in("GET")
def export(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The whole evaluation for ``firebox verify``."""
    evaluation = with_games(request, uuid)
    text = run_with_message(request, lambda: exported(evaluation))
    if text is None:
        return redirect("evaluations:evaluation", uuid)
    return attachment(text, name=f"evaluation-{uuid}.json")


def exported(evaluation: Evaluation) -> str:
    """Its file. Raises Refused while there is nothing to prove."""
    if evaluation.is_open or evaluation.mean is None:
        raise Refused("There is a file to verify once the evaluation has finished with games.")
    if evaluation.games_removed_at is not None:
        raise Refused("Its games have been deleted, so there is nothing left to verify.")
    return export_json(evaluation)


@signed_in("POST")
def requeue(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Send the missing games of a failed evaluation again."""
    evaluation = visible_evaluation(request, uuid)
    run_with_message(
        request,
        lambda: pipeline.requeue(evaluation=evaluation, by=current_user(request)),
        done="The missing games are queued again.",
    )
    return redirect(address_back(request.POST.get("from", ""), evaluation))


@signed_in("GET", "POST")
def cancel(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Stop an evaluation, once it was asked for a second time."""
    evaluation = visible_evaluation(request, uuid)
    if not permissions.may_decide(request.user, evaluation):
        raise NotAllowed("Only staff who run evaluations may cancel one.")
    origin = (request.POST or request.GET).get("from", "")
    question = Question(
        title=f"Cancel the {evaluation}?",
        effects=(
            f"What has been played ({counted(evaluation.games_done, 'game')}) does not count.",
            "No more games are played. It can be started again from the first game.",
        ),
        button="Cancel evaluation",
        back=address_back(origin, evaluation),
        values={"from": origin},
        assignment=evaluation.assignment,
    )
    act = partial(services.cancel, evaluation=evaluation, by=current_user(request))
    return ask_first(request, question, act, done="The evaluation was cancelled.")


def address_back(origin: str, evaluation: Evaluation) -> str:
    """Return the address of the staff's page, or else the evaluation's."""
    assignment = evaluation.assignment
    if origin == "staff":
        return reverse("evaluations:staff", args=[assignment.course.slug, assignment.slug])
    return reverse("evaluations:evaluation", args=[evaluation.uuid])


@signed_in("GET", "POST")
def flags(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Mark the flags as seen, or as not seen again, after a question with a note."""
    evaluation = visible_evaluation(request, uuid)
    return ask_about_flags(
        request,
        Audit.objects.filter(evaluation=evaluation).select_related("seen_by").first(),
        agent=evaluation.agent_name,
        assignment=evaluation.assignment,
        back=reverse("evaluations:evaluation", args=[uuid]),
    )
