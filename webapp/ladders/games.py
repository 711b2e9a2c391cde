"""Games of a ladder that people may see: those of finished rounds.

No deal of such a round is ever dealt again, so nobody gains by having seen its games.
"""

from collections.abc import Mapping

from django.db.models import QuerySet

from grader.core.records import Record
from webapp.evaluations.selectors import Replay, replay_from
from webapp.ladders.models import Ladder, LadderEntry, LadderGame
from webapp.tables.redaction import record_for_others

__all__ = ["games_of", "is_own_fault", "neighbours", "record_of", "replay_of"]


def games_of(ladder: Ladder, *, number: int | None = None) -> QuerySet[LadderGame]:
    """Return the games by index, the latest first, or those of one entry. One query more."""
    tables = ladder.tables.all()
    if ladder.is_open:
        newest = tables.order_by("-number").first()
        tables = tables.filter(round__lt=0 if newest is None else newest.round)
    games = ladder.games.filter(table__in=tables.values("number")).order_by("-index")
    return games if number is None else games.of(number)


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


def record_of(game: LadderGame, *, with_evidence: bool) -> Record | None:
    """Return the data of the game's record, with or without the evidence of a fault."""
    record = game.record
    if record is None or with_evidence:
        return record
    return record_for_others(record)


def replay_of(game: LadderGame, names: Mapping[int, str], *, with_evidence: bool) -> Replay | None:
    """Return the game, replayed. Raises RecordError if the record is of other rules."""
    shown = record_of(game, with_evidence=with_evidence)
    if shown is None:
        return None
    seat = -1 if game.fault_seat is None else game.fault_seat
    return replay_from(shown, players=[names[number] for number in game.numbers], seat=seat)
