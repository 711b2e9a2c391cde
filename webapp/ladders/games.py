"""Games of a ladder that people may see: those of finished rounds.

No deal of such a round is ever dealt again, so nobody gains by having seen its games.
"""

from webapp.ladders.models import Ladder, LadderEntry, LadderGame
from webapp.tables.games import SeatedGameQuerySet


def games_of(ladder: Ladder) -> SeatedGameQuerySet[LadderGame]:
    """Return the games by index, the latest first. One query more."""
    tables = ladder.tables.all()
    if ladder.is_open:
        newest = tables.order_by("-number").first()
        tables = tables.filter(round__lt=0 if newest is None else newest.round)
    return ladder.games.filter(table__in=tables.values("number")).order_by("-index")


def neighbours(ladder: Ladder, game: LadderGame) -> tuple[int | None, int | None]:
    """Return the indices of the games before and after one. Two queries more."""
    indices = games_of(ladder).values_list("index", flat=True)
    before = indices.filter(index__lt=game.index).first()
    return before, indices.filter(index__gt=game.index).order_by("index").first()


def is_own_fault(game: LadderGame, user_key: int | None) -> bool:
    """Return whether a game was spoiled by an agent of this user's team. One query at most."""
    if game.culprit is None or user_key is None:
        return False
    own = LadderEntry.objects.filter(ladder=game.ladder, number=game.culprit)
    return own.filter(submission__team__memberships__user=user_key).exists()
