"""A game at a table as its reader may see it: its record, and its replay."""

from collections.abc import Mapping

from grader.core.records import Record
from webapp.evaluations.selectors import Replay, replay_from
from webapp.tables.games import SeatedGame
from webapp.tables.redaction import record_for_others

__all__ = ["record_of", "replay_of"]


def record_of(game: SeatedGame, *, with_evidence: bool) -> Record | None:
    """Return the game's record; without evidence as others than the agent's team and staff see it.

    ``None`` if the game was not played.
    """
    record = game.record
    return record if record is None or with_evidence else record_for_others(record)


def replay_of(game: SeatedGame, names: Mapping[int, str], *, with_evidence: bool) -> Replay | None:
    """Return the game, replayed by the rules. Raises RecordError if the record is of other rules.

    ``names`` are those of the participants by number.
    """
    record = record_of(game, with_evidence=with_evidence)
    if record is None:
        return None
    seat = -1 if game.fault_seat is None else game.fault_seat
    return replay_from(record, players=[names[number] for number in game.numbers], seat=seat)
