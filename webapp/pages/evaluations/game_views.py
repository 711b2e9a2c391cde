"""An evaluation's games: the page of one, watching them, two agents' games on a deal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.gzip import gzip_page

from grader.core.records import Printed
from webapp.grading.evaluations import permissions, selectors
from webapp.grading.evaluations.comparing import game_on_same_deal, on_same_deals
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.grading.evaluations.reproducing import reproduce_command
from webapp.grading.evaluations.selectors import Replay
from webapp.pages.evaluations.views import context_of, with_games
from webapp.pages.game_pages import GamePage, show_beside
from webapp.pages.http import current_user, signed_in
from webapp.pages.live_games import Watched

OTHERS_LISTED: Final = 200
"""Evaluations that are offered to be shown beside a game."""


class EvaluationGamePage(GamePage):
    """A game of an evaluation, with its fault's evidence, and how to play it again."""

    namespace = "evaluations"
    game: GameResult

    def __init__(self, request: HttpRequest, uuid: UUID, index: int) -> None:
        self.request, self.where, self.key = request, (uuid,), index
        self.evaluation = with_games(request, uuid)
        try:
            self.game = selectors.game(self.evaluation, index)
        except GameResult.DoesNotExist:
            raise Http404("This game has not been played.") from None
        self.read(sees_evidence=True)
        self.deal_is_public = permissions.is_deal_public(self.evaluation)

    @property
    def printed(self) -> Sequence[Printed]:
        """The output that is kept, or else that of the fault."""
        return self.game.printed or super().printed

    def replay(self) -> Replay | None:
        return selectors.replay_of(self.game)

    @property
    def agent_keys(self) -> Mapping[str, str]:
        """The submission's key by its name; none for a house agent's evaluation."""
        pk = self.evaluation.submission_id
        return {} if pk is None else {self.evaluation.agent_name: f"submission:{pk}"}

    def neighbours(self) -> tuple[int | None, int | None]:
        """Return the indices before and after, also of games that are not played yet."""
        before, after = self.key - 1, self.key + 1
        return (
            before if before >= 0 else None,
            after if after < self.evaluation.n_games else None,
        )

    def context(self) -> dict[str, Any]:
        evaluation, played = self.evaluation, None if self.unreadable else self.game.played
        return {
            **context_of(self.request, evaluation),
            "owner": evaluation.agent_name,
            "score": self.game.score,
            "other_attempt": None if played is None else played.other_attempt,
            "command": reproduce_command(evaluation, self.key),
            "choose_beside": self.address("choose_beside", self.key),
            "choices": _others_of(self.request, evaluation),
            "live": self.live(is_open=evaluation.is_open),
        }


def _others_of(request: HttpRequest, evaluation: Evaluation) -> list[Evaluation]:
    offered = Evaluation.objects.visible_to(current_user(request)).current()
    same = offered.filter(assignment=evaluation.assignment, kind=evaluation.kind)
    newest = same.select_related("submission__team").order_by("-requested_at")
    return on_same_deals(evaluation, newest[:OTHERS_LISTED])


@signed_in("GET")
def choose_beside(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """Lead to the game and that of the evaluation which the form on the game's page names."""
    try:
        other = UUID(request.GET.get("with", ""))
    except ValueError:
        raise Http404("No such evaluation.") from None
    return redirect("evaluations:beside", uuid, index, other)


@signed_in("GET")
@gzip_page
def beside(request: HttpRequest, uuid: UUID, index: int, other: UUID) -> HttpResponse:
    """Show two agents' games on the same deal, to people who may see each of them."""
    ours = EvaluationGamePage(request, uuid, index)
    theirs = with_games(request, other)
    same = None if ours.evaluation == theirs else game_on_same_deal(ours.evaluation, index, theirs)
    if same is None:
        raise Http404("The other agent did not play this deal.")
    pages = [ours, EvaluationGamePage(request, other, same)]
    previous, following = (
        "" if key is None else ours.address("beside", key, other) for key in ours.neighbours()
    )
    context = {
        **context_of(request, ours.evaluation),
        "heading": f"Game {index}, two agents",
        "previous_url": previous,
        "next_url": following,
    }
    return show_beside(pages, [page.evaluation.agent_name for page in pages], context)


def watched(request: HttpRequest, uuid: UUID) -> Watched[GameResult]:
    """Return the games to watch. Raises Http404 and NotAllowed as their pages do."""
    evaluation = with_games(request, uuid)
    return Watched(
        games=evaluation.results.only("index"),
        is_open=evaluation.is_open,
        address=lambda game: reverse("evaluations:game", args=[uuid, game.index]),
        otherwise=reverse("evaluations:evaluation", args=[uuid]),
    )
