"""Decides who may make a public link to a game, and whether a link works.

Both ask the same: may its owner see the game, and is the game no secret? So a link stops working as
soon as its owner loses sight of the game, or the game becomes secret again.
"""

from django.utils import timezone

from webapp.contests.ladders import selectors as ladders
from webapp.contests.ladders.models import LadderGame
from webapp.contests.playing.models import HumanGame
from webapp.contests.sharing.models import AnyGame, GameLink
from webapp.contests.tournaments.models import Stage, Tournament, TournamentGame
from webapp.grading.evaluations.models import STOPPED, Evaluation, GameResult, Kind
from webapp.grading.evaluations.permissions import is_deal_public, may_see_games
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility
from webapp.teaching.courses.permissions import Person, viewer_in


def assignment_of(game: AnyGame) -> Assignment:
    """Return the assignment of a game, with its course."""
    match game:
        case GameResult():
            return game.evaluation.assignment
        case TournamentGame():
            return game.tournament.assignment
        case LadderGame():
            return game.ladder.assignment
        case HumanGame():
            return game.assignment


# See webapp/decisions/public-links.md
def may_share(user: Person, game: AnyGame) -> bool:
    """Return whether the user may make a public link to this game. A fixed number of queries."""
    return assignment_of(game).public_links and _may_show(user, game)


def _may_show(user: Person, game: AnyGame) -> bool:
    match game:
        case GameResult():
            run = game.evaluation
            if run.kind == Kind.TRY:
                return False
            return game.ending != STOPPED and is_deal_public(run) and may_see_games(user, run)
        case TournamentGame():
            # Staff see the games before the results are released. Nobody else may.
            seen = Tournament.objects.visible_to(user).filter(stage=Stage.RESULTS)
            return seen.filter(pk=game.tournament_id).exists()
        case LadderGame():
            if not viewer_in(user, game.ladder.assignment.course).is_member:
                return False
            return ladders.games_of(game.ladder).filter(pk=game.pk).exists()
        case HumanGame():
            is_own = game.person_id == user.pk and not game.is_open
            return is_own and viewer_in(user, game.assignment.course).is_member


def is_open_to_visitors(run: Evaluation) -> bool:
    """Return whether visitors may see its games: a house agent's on a public board."""
    assignment = run.assignment
    is_shown = assignment.leaderboard == LeaderboardVisibility.PUBLIC and assignment.public_links
    return (
        is_shown
        and assignment.opens_at <= timezone.now()
        and bool(run.house_agent)
        and is_deal_public(run)
    )


def why_closed(link: GameLink) -> str:
    """Return the reason why a link does not work, as a sentence; empty if it works."""
    if link.taken_back_at is not None:
        return "The person who made this link has taken it back."
    if not link.assignment.public_links:
        return "The course’s staff have switched off public links for this assignment."
    if not _may_show(link.owner, link.game):
        return "This game is no longer open to the public."
    return ""
