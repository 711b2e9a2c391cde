"""Derives the course of a tournament from its results alone: the games to play now, and those that
count.

Pure, and independent of the order of results, of batches, and of how often a game was played: two
ledgers with the same results agree. So an interrupted tournament continues where it stopped,
nothing is lost, and nothing counts twice.

The rules:

- A game without a fault counts, for every player in the seat that was planned for it.
- A game that a fault ended counts as faulted for its culprit, and for nobody else. It is played
  again, on the same deal, with another agent in the culprit's place. This may happen several times.
- A free seat goes to the first participant on the table's *bench* who is not at the table. The
  bench is all fillers, then all players, each shuffled by ``HMAC-SHA-256(secret, "firebox bench v1"
  ‖ uint64be(table number))``. The game does not count for the participant who fills in, so that all
  have the same number of games; a fault of theirs does. When nobody else is left, members of the
  table take a second seat; when everybody is out, the game is void.
- An agent that is removed leaves its table with the next game, and all tables of the round after
  the next (``OVERLAP``): so rounds need not wait for one another, and yet no rule depends on which
  of two tables finished first. Faults in self-play are seen by all other rounds.
- In self-play nobody can fill in: a faulted game is not repeated.
- House agents are treated as all others are. If one of ours fails, nobody loses by it: what it
  spoiled is played again without it.

Results that these rules do not ask for are passed over: of tables that were still playing while
staff excluded a member, or of games after the fault that removed one. Of two results of one game
with the same seating the first is kept.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from grader.core.deals import shuffled
from grader.core.errors import RecordError
from grader.core.records import Fault, FaultKind, GameResult
from grader.tournament.plan import Plan, PlannedGame, PlannedTable, TableKind
from grader.tournament.spec import Consequence, Exclusion, Policy

OVERLAP: Final = 1
"""Rounds that may be played while the round before them is not yet complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTable:
    """A game that was played: the facts on which the course of a tournament depends."""

    index: int
    seating: tuple[int, ...]
    """The participants that really sat there."""
    scores: tuple[int, ...]
    fault: Fault | None = None


def played(result: GameResult, seating: Sequence[int]) -> PlayedTable:
    """A grader's result, with the participants that sat there. Raises RecordError."""
    record = result.record
    if len(record.scores) != len(seating):
        raise RecordError(f"{len(record.scores)} scores for {len(seating)} seats")
    if record.fault is not None and not 0 <= record.fault.seat < len(seating):
        raise RecordError(f"a fault of seat {record.fault.seat} at a table of {len(seating)}")
    return PlayedTable(
        index=result.index, seating=tuple(seating), scores=record.scores, fault=record.fault
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedGame:
    """A game to be played now."""

    index: int
    deal: int
    table: int
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """A fault, and its consequence."""

    participant: int
    index: int
    """The game that it spoiled."""
    seating: tuple[int, ...]
    """The participants that sat there then."""
    table: int
    seats: int
    """The culprit's planned seats, which count as faulted for it; 0: it was filling in."""
    size: int
    """Seats at that table."""
    in_self_play: bool
    kind: FaultKind
    consequence: Consequence


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerGame:
    """A planned game that was played to its end."""

    planned: PlannedGame
    table: int
    round: int
    kind: TableKind
    seating: tuple[int, ...]
    """The participants that sat there in the end."""
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """Why a participant is out."""

    participant: int
    faults: int
    """Faults that count towards removal."""
    reason: str
    """Staff's, if they excluded it."""


@dataclass(slots=True)
class _Tally:
    counted: Counter[int] = field(default_factory=Counter)
    removed: set[int] = field(default_factory=set)

    def add(self, charge: Charge, policy: Policy) -> None:
        if charge.consequence is Consequence.PENALISED:
            return
        self.counted[charge.participant] += 1
        enough = 0 < policy.faults_to_removal <= self.counted[charge.participant]
        if enough or charge.consequence is Consequence.REMOVED:
            self.removed.add(charge.participant)

    def copy(self) -> "_Tally":
        return _Tally(Counter(self.counted), set(self.removed))


@dataclass(slots=True)
class _Outcome:
    counted: list[LedgerGame] = field(default_factory=list)
    charges: list[Charge] = field(default_factory=list)
    wanted: list[WantedGame] = field(default_factory=list)
    void: list[int] = field(default_factory=list)


class Ledger:
    """Takes results in any order; derives the games to play next and those that count."""

    def __init__(
        self,
        plan: Plan,
        policy: Policy,
        *,
        secret: bytes,
        exclusions: Iterable[Exclusion] = (),
        results: Iterable[PlayedTable] = (),
    ) -> None:
        self.plan = plan
        self._policy = policy
        self._secret = secret
        self._exclusions = tuple(exclusions)
        self._self_play = sum(tables[0].kind is TableKind.SELF for tables in plan.rounds)
        self._tables = tuple(plan.tables)
        self._table_of = [table for table in self._tables for _ in table.games]
        self._results: dict[int, dict[tuple[int, ...], PlayedTable]] = {}
        self._outcomes: dict[int, _Outcome] = {}
        self._tallies = [_Tally()]
        """After each round that is complete; first, before all of them."""
        self.add(*results)

    def add(self, *results: PlayedTable) -> None:
        """Take results. Raises RecordError for a game that is not of this tournament."""
        for result in results:
            self._note(result)
        self._advance()

    @property
    def finished(self) -> bool:
        """True if every planned game counts or is permanently void."""
        return len(self._tallies) > len(self.plan.rounds)

    @property
    def wanted(self) -> tuple[WantedGame, ...]:
        """The games to be played now, in the plan's order. Empty only when all is finished."""
        return tuple(game for outcome in self._in_order() for game in outcome.wanted)

    @property
    def counted(self) -> tuple[LedgerGame, ...]:
        """The games that count so far, in the plan's order."""
        return tuple(game for outcome in self._in_order() for game in outcome.counted)

    @property
    def charges(self) -> tuple[Charge, ...]:
        """Every fault that counts so far, in the plan's order."""
        return tuple(charge for outcome in self._in_order() for charge in outcome.charges)

    @property
    def counting(self) -> frozenset[tuple[int, tuple[int, ...]]]:
        """Index and seating of every result that counts or is charged; others are passed over."""
        counted = {(game.planned.index, game.seating) for game in self.counted}
        return frozenset(counted | {(charge.index, charge.seating) for charge in self.charges})

    @property
    def void(self) -> tuple[int, ...]:
        """Games that cannot be played any more: no agent is left for a seat."""
        return tuple(index for outcome in self._in_order() for index in outcome.void)

    @property
    def removed(self) -> Mapping[int, Removal]:
        """Participants that are out, as far as rounds are complete, by number."""
        tally = self._tallies[-1]
        reasons = {exclusion.participant: exclusion.reason for exclusion in self._exclusions}
        return {
            number: Removal(
                participant=number, faults=tally.counted[number], reason=reasons.get(number, "")
            )
            for number in sorted(tally.removed | set(reasons))
        }

    def _note(self, result: PlayedTable) -> None:
        if not 0 <= result.index < len(self._table_of):
            raise RecordError(f"the tournament has no game {result.index}")
        self._results.setdefault(result.index, {}).setdefault(result.seating, result)
        table = self._table_of[result.index].number
        if table in self._outcomes and self._outcomes[table].wanted:
            del self._outcomes[table]

    def _advance(self) -> None:
        while not self.finished:
            rounds = self._open_rounds()
            for number in rounds:
                self._play(number)
            outcomes = [self._outcomes[table.number] for table in self.plan.rounds[rounds[0]]]
            if any(outcome.wanted for outcome in outcomes):
                return
            tally = self._tallies[-1].copy()
            for outcome in outcomes:
                for charge in outcome.charges:
                    tally.add(charge, self._policy)
            self._tallies.append(tally)

    def _open_rounds(self) -> range:
        first = len(self._tallies) - 1
        last = min(first + OVERLAP, len(self.plan.rounds) - 1)
        if first < self._self_play:
            last = min(last, self._self_play - 1)
        return range(first, last + 1)

    def _play(self, number: int) -> None:
        for table in self.plan.rounds[number]:
            if table.number not in self._outcomes:
                self._outcomes[table.number] = _TableCourse(
                    table,
                    bench=partial(self._bench, table),
                    policy=self._policy,
                    tally=self._seen(number),
                    excluded=self._excluded(number),
                    results=self._results,
                ).outcome

    def _seen(self, number: int) -> _Tally:
        least = self._self_play if number >= self._self_play else 0
        return self._tallies[max(number - OVERLAP, least)].copy()

    def _excluded(self, number: int) -> set[int]:
        early = (exclusion for exclusion in self._exclusions if exclusion.from_round <= number)
        return {exclusion.participant for exclusion in early}

    def _bench(self, table: PlannedTable) -> Sequence[int]:
        message = b"firebox bench v1" + table.number.to_bytes(8, "big")
        seed = hmac.digest(self._secret, message, "sha256")
        players, fillers = self.plan.players, self.plan.fillers
        return [*shuffled(range(players, players + fillers), seed), *shuffled(range(players), seed)]

    def _in_order(self) -> Iterator[_Outcome]:
        return (
            self._outcomes[table.number] for table in self._tables if table.number in self._outcomes
        )


class _TableCourse:
    """One table from its first game to its last, as far as there are results."""

    def __init__(
        self,
        table: PlannedTable,
        *,
        bench: Callable[[], Sequence[int]],
        policy: Policy,
        tally: _Tally,
        excluded: set[int],
        results: Mapping[int, Mapping[tuple[int, ...], PlayedTable]],
    ) -> None:
        self._table = table
        self._bench = bench
        self._policy = policy
        self._tally = tally
        self._excluded = excluded
        self._results = results
        self.outcome = _Outcome()
        for game in table.games:
            self._play(game)

    def _play(self, game: PlannedGame) -> None:
        out = self._excluded | self._tally.removed
        while (seating := self._seating(game, out)) is not None:
            result = self._results.get(game.index, {}).get(seating)
            if result is None:
                self.outcome.wanted.append(
                    WantedGame(
                        index=game.index, deal=game.deal, table=self._table.number, seating=seating
                    )
                )
                return
            if result.fault is None:
                self._count(game, result)
                return
            out = out | {self._charge(game, seating, result.fault)}
        self.outcome.void.append(game.index)

    def _count(self, game: PlannedGame, result: PlayedTable) -> None:
        self.outcome.counted.append(
            LedgerGame(
                planned=game,
                table=self._table.number,
                round=self._table.round,
                kind=self._table.kind,
                seating=result.seating,
                scores=result.scores,
            )
        )

    def _charge(self, game: PlannedGame, seating: tuple[int, ...], fault: Fault) -> int:
        culprit = seating[fault.seat]
        charge = Charge(
            participant=culprit,
            index=game.index,
            seating=seating,
            table=self._table.number,
            seats=game.seating.count(culprit),
            size=len(game.seating),
            in_self_play=self._table.kind is TableKind.SELF,
            kind=fault.kind,
            consequence=self._policy.consequence(fault),
        )
        self.outcome.charges.append(charge)
        self._tally.add(charge, self._policy)
        return culprit

    def _seating(self, game: PlannedGame, out: set[int]) -> tuple[int, ...] | None:
        members = dict.fromkeys(sorted(game.seating))
        missing = [member for member in members if member in out]
        if not missing:
            return game.seating
        if self._table.kind is TableKind.SELF:
            return None
        substitutes = self._substitutes(list(members), out)
        if substitutes is None:
            return None
        return tuple(substitutes.get(member, member) for member in game.seating)

    def _substitutes(self, members: Sequence[int], out: set[int]) -> Mapping[int, int] | None:
        fit = [number for number in self._bench() if number not in out]
        if not fit:
            return None
        free = [number for number in fit if number not in members]
        missing = [member for member in members if member in out]
        spare = [number for number in fit if number in members] or fit
        needed = len(missing) - len(free)
        free += [spare[at % len(spare)] for at in range(needed)]
        return dict(zip(missing, free, strict=False))
