"""The choice of the next table: a pure function of the participants and of the tables so far.

- Agents without an interval come first (fewest games first, so that a new version plays
  immediately), then the widest intervals. Equal needs are ordered by a shuffle.
- The next partner is the agent that has met those at the table least often; of equal ones the
  neediest. Versions of one team never share a table: they could be written to help each other.
- Tables are dealt in rounds. Nobody sits at two tables of a round, and all of its tables play the
  same deals, so that differences between agents are not the deals' luck. A round is over when
  nobody who needs games is left for it. No deal of an earlier round is ever dealt again: a version
  that was written after its games were shown gains nothing by them.
- At a table everybody sits in each seat equally often, in rotation.
- When every interval is narrow enough there is no next table.
"""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np

from grader.core.deals import shuffled
from grader.tournament import TableBatch, WantedGame
from grader.tournament.grouping import Whole, note_meetings

MAX_GAMES: Final = 12
"""Games at one table. More games would say less than another table with other partners."""
BATCH_SECONDS: Final = 10.0
"""The time of a table: other requests wait for one at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """An agent on the ladder."""

    number: int
    games: int
    """Played, or being played."""
    half_width: float | None
    """The ± of its rating's interval; ``None`` while it has none."""
    team: str = ""
    """The team whose version it is; ``""`` for a house agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The precision that a rating needs."""

    half_width: float
    """In points."""
    max_games: int
    """An agent needs no more games than this, however wide its interval is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderTable:
    """Agents that play together."""

    number: int
    """From 0, in the order of being asked for."""
    round: int
    members: tuple[int, ...]
    """In the order of their seats in the first game."""


def settled(contender: Contender, goal: Goal) -> bool:
    """Return whether an agent needs no more games of its own."""
    narrow = contender.half_width is not None and contender.half_width <= goal.half_width
    return narrow or contender.games >= goal.max_games


def next_table(
    contenders: Sequence[Contender],
    tables: Sequence[LadderTable],
    *,
    seats: int,
    goal: Goal,
    secret: bytes,
) -> LadderTable | None:
    """Return the next table; ``None`` if no agent needs games, or too few take part.

    ``tables`` are those so far, in the order of their numbers, those that are being played too.
    """
    if _teams(contenders) < seats:
        return None
    number = tables[-1].number + 1 if tables else 0
    order = _by_need(contenders, goal, _seed(secret, number))
    if settled(order[0], goal):
        return None
    in_round = tables[-1].round if tables else 0
    seated = {member for table in tables if table.round == in_round for member in table.members}
    free = [contender for contender in order if contender.number not in seated]
    if _teams(free) < seats or settled(free[0], goal):
        in_round, free = in_round + 1, order
    members = _gathered(free, _meetings(order, tables), seats)
    return LadderTable(
        number=number, round=in_round, members=tuple(shuffled(members, _seed(secret, number)))
    )


def games_at_table(seats: int, ms_per_game: Iterable[float | None]) -> int:
    """Return how many games a table plays: a whole number of rotations, about ten seconds.

    One rotation where it is not known how long a game of one of the members takes.
    """
    known = list(ms_per_game)
    paces = [pace for pace in known if pace is not None]
    rotations = max(MAX_GAMES // seats, 1)
    if not paces or len(paces) < len(known):
        return seats
    in_time = BATCH_SECONDS * 1000 / (seats * max(*paces, 1.0))
    return seats * min(max(int(in_time), 1), rotations)


def table_batch(table: LadderTable, games: int) -> TableBatch:
    """Return the games of a table as graders are asked for them: in each the seats move on."""
    seats = len(table.members)
    width = max(MAX_GAMES, seats)
    return TableBatch(
        table=table.number,
        participants=tuple(sorted(table.members)),
        games=tuple(
            WantedGame(
                index=table.number * width + at,
                deal=table.round * width + at,
                table=table.number,
                seating=table.members[at % seats :] + table.members[: at % seats],
            )
            for at in range(games)
        ),
    )


def _seed(secret: bytes, table: int) -> bytes:
    return hmac.digest(secret, b"firebox ladder v1" + table.to_bytes(8, "big"), "sha256")


def _by_need(contenders: Collection[Contender], goal: Goal, seed: bytes) -> list[Contender]:
    ordered = sorted(contenders, key=lambda contender: contender.number)
    return sorted(shuffled(ordered, seed), key=lambda contender: _need(contender, goal))


def _need(contender: Contender, goal: Goal) -> tuple[bool, float, int]:
    width = inf if contender.half_width is None else contender.half_width
    return settled(contender, goal), -width, contender.games


def _meetings(contenders: Sequence[Contender], tables: Sequence[LadderTable]) -> "_Meetings":
    places = {contender.number: position for position, contender in enumerate(contenders)}
    # Agents that have left share one line beyond the others, which nothing reads.
    rows = [
        [places.get(member, len(places)) for member in table.members]
        for table in tables
        if any(member in places for member in table.members)
    ]
    met: Whole = np.zeros((len(places) + 1,) * 2, dtype=np.int64)
    if rows:
        note_meetings(met, np.array(rows, dtype=np.int64))
    return _Meetings(places, met)


@dataclass(frozen=True, slots=True)
class _Meetings:
    places: Mapping[int, int]
    met: Whole

    def cost(self, number: int, others: Sequence[int]) -> int:
        """Count how often an agent met those at a table."""
        row = self.met[self.places[number]]
        return int(sum(row[self.places[other]] for other in others))


def _gathered(free: Sequence[Contender], meetings: _Meetings, seats: int) -> list[int]:
    members = [free[0].number]
    rest = _others(free, free[0])
    while len(members) < seats:
        partner = min(rest, key=lambda contender: meetings.cost(contender.number, members))
        rest = _others(rest, partner)
        members.append(partner.number)
    return members


def _others(contenders: Sequence[Contender], chosen: Contender) -> list[Contender]:
    return [contender for contender in contenders if _team(contender) != _team(chosen)]


def _team(contender: Contender) -> str | int:
    return contender.team or contender.number


def _teams(contenders: Iterable[Contender]) -> int:
    return len({_team(contender) for contender in contenders})
