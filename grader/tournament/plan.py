"""The plan of a tournament: every table, seat and deal, before the first game.

A pure function of the secret, the settings and the number of participants, so that nobody can
choose the groups, and anybody who is given the secret can derive them again:

1. In round r players are shuffled by ``HMAC-SHA-256(secret, "firebox tournament v1" ‖
   uint64be(r))`` with the shuffle of ``deals``. If seats and players do not match, those who paused
   least often pause (without fillers), or fillers are added, in turn, each at another table.
2. ``grouping`` improves that arrangement until no exchange of two players makes it more even.
3. ``seating`` distributes seats; the order in which it tries them for game i is the shuffle by
   ``HMAC-SHA-256(secret, "firebox seats v1" ‖ uint64be(i))``.
4. All tables of a round play the same deals: deal number d is ``deals.deal_seed(secret, d)``.

So everybody plays in every round, or pauses as often as anybody else give or take one; sits in each
seat equally often give or take one; and meets everybody as evenly as exchanges can make it.
"""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from statistics import NormalDist
from typing import Final

import numpy as np

from grader.core.deals import shuffled
from grader.core.errors import PlanError
from grader.results.statistics import CONFIDENCE
from grader.tournament.grouping import Whole, arranged, note_meetings
from grader.tournament.seating import seated
from grader.tournament.spec import TournamentSpec

MAX_GAMES: Final = 1_000_000
"""The most games of a tournament: to plan them takes a minute, and a gigabyte of memory."""
_APART: Final = 1 << 20
"""More than any number of meetings: fillers sit at different tables if they can."""


class TableKind(StrEnum):
    """The purpose of a table."""

    SELF = "self"
    """Self-play: one player in all seats."""
    CROSS = "cross"
    """Different players; ranks are computed from these tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedGame:
    """One game as planned. Participants are numbers: players from 0, then fillers."""

    index: int
    """Position in the tournament, from 0."""
    deal: int
    """Number of the deal; equal for the same game of all tables of a round."""
    seating: tuple[int, ...]
    """For each seat, who sits there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTable:
    """Games of the same participants in one round."""

    round: int
    number: int
    """Position in the tournament, from 0."""
    kind: TableKind
    games: tuple[PlannedGame, ...]

    @property
    def members(self) -> tuple[int, ...]:
        """Its participants; one that takes several seats is named as often."""
        return tuple(sorted(self.games[0].seating))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All tables, in the order of their numbers."""

    players: int
    """Participants below this number play in every round; the others fill."""
    fillers: int
    rounds: tuple[tuple[PlannedTable, ...], ...]
    """First those of self-play, if there are any."""

    @property
    def tables(self) -> Iterator[PlannedTable]:
        """All of them."""
        return (table for tables in self.rounds for table in tables)

    @property
    def games(self) -> int:
        """The total number of games."""
        return sum(len(table.games) for table in self.tables)


def plan_tournament(spec: TournamentSpec, *, players: int, fillers: int, secret: bytes) -> Plan:
    """Plan every game. Raises PlanError if too few take part or there are more games than
    MAX_GAMES, and ValueError for a short secret."""
    if len(secret) < 16:
        raise ValueError(f"a tournament's secret has at least 16 bytes, this one has {len(secret)}")
    for size in spec.sizes:
        _check_numbers(spec, size, players, fillers)
    _check_length(spec, players, fillers)
    groups = [*_self_play(spec, players), *_cross_play(spec, players, fillers, secret)]
    rounds: list[list[PlannedTable]] = [[] for _ in groups]
    for table in _seats_and_deals(spec, groups, secret):
        rounds[table.round].append(table)
    return Plan(players=players, fillers=fillers, rounds=tuple(map(tuple, rounds)))


def rounds_for_games(spec: TournamentSpec, *, players: int, fillers: int, games: int) -> int:
    """Return the smallest number of rounds with at least this many games for each agent."""
    rounds = planned = 0
    while planned < games or not rounds:
        size = spec.sizes[rounds % len(spec.sizes)]
        _check_numbers(spec, size, players, fillers)
        planned += _tables(spec, size, players, fillers) * spec.games_per_table
        rounds += 1
    return rounds


def rounds_for_precision(
    spec: TournamentSpec, *, players: int, fillers: int, half_width: float, table_sd: float
) -> int:
    """Rounds after which a mean is known to ± ``half_width``.

    ``table_sd`` is the standard deviation of one agent's mean scores at different tables, from an
    earlier tournament or a short one: (z · sd / half width)² tables are needed. Decided before the
    games, so that the interval stays what it says.
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    needed = (z * table_sd / half_width) ** 2
    rounds = 0
    played = 0.0
    while played < needed or not rounds:
        size = spec.sizes[rounds % len(spec.sizes)]
        _check_numbers(spec, size, players, fillers)
        seats = _tables(spec, size, players, fillers) * size
        played += seats / players if not fillers or spec.duplicates else 1
        rounds += 1
    return rounds


@dataclass(frozen=True, slots=True)
class _Round:
    """The groups of a round; without seats."""

    kind: TableKind
    size: int
    tables: tuple[tuple[int, ...], ...]


def _check_numbers(spec: TournamentSpec, size: int, players: int, fillers: int) -> None:
    if players < 1 or fillers < 0:
        raise PlanError(f"{players} players and {fillers} fillers cannot play a tournament")
    if players < size and not fillers and not spec.duplicates:
        raise PlanError(
            f"{players} players do not fill a table of {size}:"
            " name fillers, or let agents sit at a table more than once"
        )


def _check_length(spec: TournamentSpec, players: int, fillers: int) -> None:
    sizes = len(spec.sizes)
    tables = sum(
        (spec.rounds - first + sizes - 1) // sizes * _tables(spec, size, players, fillers)
        for first, size in enumerate(spec.sizes[: spec.rounds])
    )
    alone = sizes * players * spec.self_play_games
    if alone + tables * spec.games_per_table > MAX_GAMES:
        raise PlanError(f"a tournament has at most {MAX_GAMES:,} games: ask for fewer")


def _tables(spec: TournamentSpec, size: int, players: int, fillers: int) -> int:
    if spec.duplicates:
        return players
    return ceil(players / size) if fillers else players // size


def _self_play(spec: TournamentSpec, players: int) -> Iterator[_Round]:
    for size in spec.sizes if spec.self_play_games else ():
        tables = tuple((player,) * size for player in range(players))
        yield _Round(TableKind.SELF, size, tables)


def _cross_play(
    spec: TournamentSpec, players: int, fillers: int, secret: bytes
) -> Iterator[_Round]:
    groups = _Groups(spec, players, fillers)
    for number in range(spec.rounds):
        size = spec.sizes[number % len(spec.sizes)]
        seed = hmac.digest(secret, b"firebox tournament v1" + number.to_bytes(8, "big"), "sha256")
        tables = groups.next_round(size, seed)
        yield _Round(TableKind.CROSS, size, tuple(tuple(map(int, row)) for row in tables))


class _Groups:
    """Makes the rounds one after another, and remembers who met and who paused."""

    def __init__(self, spec: TournamentSpec, players: int, fillers: int) -> None:
        self._duplicates = spec.duplicates
        self._players = players
        self._fillers = fillers
        self._met: Whole = np.zeros((players + fillers,) * 2, dtype=np.int64)
        self._pauses = [0] * players
        self._filled = 0

    def next_round(self, size: int, seed: bytes) -> Whole:
        """Tables of one more round."""
        members = self._members(size, shuffled(range(self._players), seed), seed)
        tables = arranged(members, size, self._cost())
        note_meetings(self._met, tables)
        return tables

    def _members(self, size: int, order: Sequence[int], seed: bytes) -> Sequence[int]:
        """Return players in random order; a player of several seats is named as often."""
        if self._duplicates:
            return shuffled([*order] * size, seed)
        if self._fillers:
            return [*order, *self._next_fillers(-len(order) % size)]
        by_pauses = sorted(order, key=self._pauses.__getitem__)
        pausing = set(by_pauses[: len(order) % size])
        for player in pausing:
            self._pauses[player] += 1
        return [player for player in order if player not in pausing]

    def _next_fillers(self, seats: int) -> list[int]:
        first, self._filled = self._filled, self._filled + seats
        return [self._players + number % self._fillers for number in range(first, self._filled)]

    def _cost(self) -> Whole:
        """Return meetings so far, with fillers as if they were one and the same."""
        cost = self._met.copy()
        if self._fillers:
            with_any = cost[: self._players, self._players :].sum(axis=1)
            cost[: self._players, self._players :] = with_any[:, None]
            cost[self._players :, : self._players] = with_any[None, :]
            cost[self._players :, self._players :] = _APART
        return cost


def _seats_and_deals(
    spec: TournamentSpec, groups: Sequence[_Round], secret: bytes
) -> list[PlannedTable]:
    seatings = _seatings(spec, groups, secret)
    tables: list[PlannedTable] = []
    index = deal = 0
    for number, group in enumerate(groups):
        count = _games_per_table(spec, group.kind)
        repeats = group.size if _is_rotated(spec, group.kind) else 1
        for _ in group.tables:
            games = tuple(
                PlannedGame(
                    index=index + at, deal=deal + at // repeats, seating=seatings[index + at]
                )
                for at in range(count)
            )
            table = PlannedTable(round=number, number=len(tables), kind=group.kind, games=games)
            tables.append(table)
            index += count
        deal += count // repeats
    return tables


def _seatings(
    spec: TournamentSpec, groups: Sequence[_Round], secret: bytes
) -> Sequence[tuple[int, ...]]:
    seatings: list[tuple[int, ...]] = []
    to_colour: dict[int, list[int]] = {size: [] for size in spec.sizes}
    for group in groups:
        for members in group.tables:
            for at in range(_games_per_table(spec, group.kind)):
                if _is_rotated(spec, group.kind):
                    turn = at % group.size
                    base = shuffled(members, _seats_seed(secret, len(seatings) - turn))
                    seatings.append((*base[turn:], *base[:turn]))
                else:
                    if group.kind is TableKind.CROSS:
                        to_colour[group.size].append(len(seatings))
                    seatings.append(members)
    for size, games in to_colour.items():
        _colour(seatings, games, size, secret)
    return seatings


def _colour(
    seatings: list[tuple[int, ...]], games: Sequence[int], size: int, secret: bytes
) -> None:
    def order(at: int) -> Sequence[int]:
        return shuffled(range(size), _seats_seed(secret, games[at]))

    seated_games = seated([seatings[game] for game in games], size, order)
    for game, seating in zip(games, seated_games, strict=True):
        seatings[game] = seating


def _seats_seed(secret: bytes, game: int) -> bytes:
    return hmac.digest(secret, b"firebox seats v1" + game.to_bytes(8, "big"), "sha256")


def _games_per_table(spec: TournamentSpec, kind: TableKind) -> int:
    return spec.self_play_games if kind is TableKind.SELF else spec.games_per_table


def _is_rotated(spec: TournamentSpec, kind: TableKind) -> bool:
    return spec.rotated and kind is TableKind.CROSS
