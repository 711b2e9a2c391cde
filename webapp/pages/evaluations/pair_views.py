"""Views of two games on the same deal, side by side."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.errors import RecordError
from grader.core.records import Printed
from grader.viewer import printed_in
from webapp.evaluations import selectors
from webapp.evaluations.comparing import game_on_same_deal
from webapp.evaluations.models import Evaluation, GameResult
from webapp.pages.evaluations.views import context_of, game_of, with_games
from webapp.pages.replays import viewer_of


@login_required
@require_GET
def choose(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """Lead to the game and that of the evaluation which the form on the game's page names."""
    try:
        other = UUID(request.GET.get("with", ""))
    except ValueError:
        raise Http404("No such evaluation.") from None
    return redirect("evaluations:beside", uuid, index, other)


@login_required
@require_GET
@gzip_page
def beside(request: HttpRequest, uuid: UUID, index: int, other: UUID) -> HttpResponse:
    """Show two agents' games on the same deal, to people who may see each of them."""
    evaluations = [with_games(request, uuid), with_games(request, other)]
    results = [game_of(evaluations[0], index), same_deal(evaluations, index)]
    context: dict[str, Any] = {
        **context_of(request, evaluations[0]),
        "both": list(zip(evaluations, results, strict=True)),
        "other": evaluations[1],
        "index": index,
        "last": evaluations[0].n_games - 1,
    }
    try:
        replays = [replay for replay in map(selectors.replay_of, results) if replay is not None]
    except RecordError as error:
        return render(request, "evaluations/beside.html", context | {"unreadable": str(error)})
    if len(replays) < len(results):
        raise Http404("One of these games was not played.")
    labels = [evaluation.agent_name for evaluation in evaluations]
    context["pairs"] = list(zip(results, labels, replays, strict=True))
    context["viewer"] = viewer_of(
        replays,
        asked=request.GET.dict(),
        labels=labels,
        printed=[_printed(result) for result in results],
    )
    return render(request, "evaluations/beside.html", context)


def _printed(result: GameResult) -> Sequence[Printed]:
    """Return the output of a game that is kept, or else that of its fault."""
    record = result.record
    return result.printed or ([] if record is None else printed_in(record, result.evidence))


def same_deal(evaluations: Sequence[Evaluation], index: int) -> GameResult:
    """The second's game with the cards and seats of the first's, or 404."""
    ours, other = evaluations
    same = None if ours == other else game_on_same_deal(ours, index, other)
    if same is None:
        raise Http404("The other agent did not play this deal.")
    return game_of(other, same)
