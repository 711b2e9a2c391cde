"""The way from a game's page to its public link."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from webapp.contests.ladders.models import LadderGame
from webapp.contests.playing.models import HumanGame
from webapp.contests.sharing.models import AnyGame, GameLink, column_of
from webapp.contests.sharing.permissions import may_share
from webapp.contests.sharing.selectors import link_to
from webapp.contests.tournaments.models import TournamentGame
from webapp.grading.evaluations.models import GameResult
from webapp.pages.http import current_user


@dataclass(frozen=True, slots=True)
class Sharing:
    """The public link of a game, for the person who looks at the game."""

    address: str
    """The page on which the link is made, shown and taken back."""
    link: str
    """The public link; empty before it is made."""


def sharing_of(request: HttpRequest, game: AnyGame) -> Sharing | None:
    """Return how the reader shows the game to anybody; ``None`` if they may not."""
    user = current_user(request)
    if not may_share(user, game):
        return None
    link = link_to(game, user)
    return Sharing(
        address=reverse("sharing:share", args=[column_of(game), game.pk]),
        link="" if link is None else public_address(link),
    )


def public_address(link: GameLink, *, name: str = "game") -> str:
    """Return the address of a link's page, whole: it is sent to people elsewhere."""
    return settings.SITE_URL + reverse(f"sharing:{name}", args=[link.token])


def page_of(game: AnyGame) -> str:
    """Return the address of a game's own page, which people of its course can open."""
    match game:
        case GameResult():
            return reverse("evaluations:game", args=[game.evaluation.uuid, game.index])
        case TournamentGame():
            return reverse("tournaments:game", args=[game.tournament.uuid, game.pk])
        case LadderGame():
            assignment = game.ladder.assignment
            where = [assignment.course.slug, assignment.slug, game.index]
            return reverse("ladders:game", args=where)
        case HumanGame():
            return reverse("playing:game", args=[game.uuid])
