"""Ratings of a ladder: the standings of a tournament, of the games that were played so far.

A game that an agent's fault ended counts for that agent only. It is not played again: the others
get their games at later tables.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.core.games import Game
from grader.tournament import (
    Charge,
    Consequence,
    LedgerGame,
    PlannedGame,
    PlanParticipant,
    PlayedGames,
    PlayedTable,
    Removal,
    Standings,
    TableKind,
    standings_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame:
    """A game, with its round and table."""

    table: int
    round: int
    played: PlayedTable


def ladder_standings(
    games: Iterable[RatedGame],
    participants: Mapping[int, PlanParticipant],
    *,
    active: Collection[int],
    rules: Game,
) -> Standings:
    """Compute the standings.

    ``participants``, by number, are all agents that are or were on the ladder. Agents that are not
    ``active`` have figures but no rank, and no rating is adjusted for their company; nor for that
    of a newcomer before its first game.
    """
    numbers = sorted(participants)
    places = {number: position for position, number in enumerate(numbers)}
    rated = [_renumbered(game, places) for game in games]
    outcome = _outcome(rated, rules)
    played = {position for game in rated for position in game.played.seating}
    company = {position for number, position in places.items() if number in active} & played
    removed = {
        position: Removal(participant=position, faults=0, reason="")
        for position in set(places.values()) - company
    }
    standings = standings_of(
        replace(outcome, removed=removed),
        [participants[number] for number in numbers],
        {rules.seats: rules},
    )
    rows = []
    for row in standings.rows:
        number = numbers[row.participant]
        removal = None if number in active else row.removal
        rows.append(replace(row, participant=number, removal=removal))
    return replace(standings, rows=tuple(rows))


def _renumbered(game: RatedGame, places: Mapping[int, int]) -> RatedGame:
    seating = tuple(places[number] for number in game.played.seating)
    return replace(game, played=replace(game.played, seating=seating))


def _outcome(games: Sequence[RatedGame], rules: Game) -> PlayedGames:
    return PlayedGames(
        counted=[_counted(game) for game in games if game.played.fault is None],
        charges=[charge for game in games if (charge := _charge(game, rules)) is not None],
        removed={},
        rounds={game.table: game.round for game in games},
    )


def _counted(game: RatedGame) -> LedgerGame:
    played = game.played
    return LedgerGame(
        planned=PlannedGame(index=played.index, deal=0, seating=played.seating),
        table=game.table,
        round=game.round,
        kind=TableKind.CROSS,
        seating=played.seating,
        scores=played.scores,
    )


def _charge(game: RatedGame, rules: Game) -> Charge | None:
    fault = game.played.fault
    if fault is None:
        return None
    return Charge(
        participant=game.played.seating[fault.seat],
        index=game.played.index,
        seating=game.played.seating,
        table=game.table,
        seats=1,
        size=rules.seats,
        in_self_play=False,
        kind=fault.kind,
        consequence=Consequence.PENALISED,
    )
