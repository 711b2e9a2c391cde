"""Standings that separate skill from luck, from the games that count.

Two figures for each participant, side by side:

- The *mean* of its scores, as courses rank: every planned game once, one that it spoiled as
  faulted. Its interval takes partners as drawn at random; a balanced plan leaves less luck than
  that, so that it is too wide rather than too narrow. All games of a round are one observation.
- The *adjusted* mean: the luck of partners and deals taken out, see ``adjusted_means``. Games that
  it spoiled count as in the mean.

Ranks say no more than intervals do: one plus the number of ranked entrants whose interval lies
wholly on the better side. So two whose intervals overlap may share a rank, and nobody stands above
one that is clearly better. ``place`` is the plain order of the means.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

from msgspec import UNSET, UnsetType

from grader.core.games import Game
from grader.core.games.outcomes import Tally, in_points, tally_of
from grader.results.ratings.elo import elo_ratings
from grader.results.statistics import Summary, summarise
from grader.tournament.adjusted_means import Adjustment, Luck, adjust
from grader.tournament.figures import Figure, figure, mean_over_rounds, places, ranks, ratio
from grader.tournament.games_due import Charge, Ledger, LedgerGame, Removal
from grader.tournament.plan import TableKind
from grader.tournament.spec import ParticipantRole, PlanParticipant


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One participant."""

    participant: int
    games: int
    """Games in the mean: with those that it spoiled, without those in which it filled in."""
    tables: int
    lost: int
    """Games among these with the score of a lost one; 0 if the rules know no such score."""
    mean: Figure | None
    """``None`` without games."""
    place: int | None
    """Place by mean; equal means share it; ``None`` if not ranked."""
    rank: int | None
    """By the means' intervals."""
    adjusted: Figure | None
    """``None`` if there is nothing to estimate it from."""
    adjusted_rank: int | None
    """By the adjusted means' intervals."""
    self_play: Summary | None
    """Its games with itself, if there were any; one that it spoiled as faulted."""
    elo: float | None
    """In games where everybody has a score of their own."""
    faults: int
    """Games that it spoiled, as a filler too."""
    removal: Removal | None
    tally: Tally | UnsetType = UNSET
    """The games in the mean that were won, drawn and lost. Unset in games for points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """All participants: ranked ones in the order of their means, then the others in the same
    order."""

    rows: tuple[Standing, ...]
    luck: Luck | None
    """``None`` if there are too few games to tell."""

    @property
    def ranking(self) -> dict[int, int]:
        """One rank for each ranked participant: by adjusted means, by means before there are any.

        Who spoiled all of its games is in none that counts, has no adjusted mean, and is last.
        """
        ranked = {row.participant: row.rank for row in self.rows if row.rank is not None}
        adjusted = {
            row.participant: row.adjusted_rank for row in self.rows if row.adjusted_rank is not None
        }
        last = len(adjusted) + 1
        return {number: adjusted.get(number, last) for number in ranked} if adjusted else ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGames:
    """The input of standings, however the games were chosen."""

    counted: Sequence[LedgerGame]
    """The games that count."""
    charges: Sequence[Charge]
    """The games that ended with an agent's fault."""
    removed: Mapping[int, Removal]
    """Removed participants, by number."""
    rounds: Mapping[int, int]
    """The round of each table."""


@dataclass(slots=True)
class _Entries:
    """One participant's scores: by round, and in self-play."""

    by_round: dict[int, list[int]] = field(default_factory=dict)
    spoiled: dict[int, list[int]] = field(default_factory=dict)
    """For each of these games 1 if it spoiled it, else 0."""
    tables: set[int] = field(default_factory=set)
    alone: list[int] = field(default_factory=list)

    @property
    def games(self) -> int:
        return sum(map(len, self.by_round.values()))

    @property
    def scores(self) -> list[int]:
        return [score for scores in self.by_round.values() for score in scores]

    def lost(self, score: int | None) -> int:
        """Games with the score of a lost one, if the rules know such a score."""
        return 0 if score is None else self.scores.count(score)

    def enter(
        self, score: int, *, table: int, in_round: int, games: int = 1, spoiled: bool
    ) -> None:
        self.tables.add(table)
        self.by_round.setdefault(in_round, []).extend([score] * games)
        self.spoiled.setdefault(in_round, []).extend([int(spoiled)] * games)


def standings(
    ledger: Ledger, participants: Sequence[PlanParticipant], rules: Mapping[int, Game]
) -> Standings:
    """Compute the standings so far. ``rules`` are those of each size (``spec.rules_of``)."""
    outcome = PlayedGames(
        counted=ledger.counted,
        charges=ledger.charges,
        removed=ledger.removed,
        rounds={table.number: table.round for table in ledger.plan.tables},
    )
    return standings_of(outcome, participants, rules)


def standings_of(
    outcome: PlayedGames, participants: Sequence[PlanParticipant], rules: Mapping[int, Game]
) -> Standings:
    """Sum up these games. ``rules`` are those of each size."""
    game = next(iter(rules.values()))
    entries = _entries(outcome, rules)
    counted = [game for game in outcome.counted if game.kind is TableKind.CROSS]
    adjustment = adjust(
        counted,
        participants=len(participants),
        active=_active(participants, outcome.removed),
        shared_score=not game.competitive,
    )
    columns = _columns(outcome, participants, game, entries, adjustment)
    rows = [
        columns.row(number, entries.get(number, _Entries())) for number in range(len(participants))
    ]
    return Standings(
        rows=tuple(sorted(rows, key=lambda row: _order(row, lower_is_better=game.lower_is_better))),
        luck=None if adjustment is None else _luck_in_points(adjustment.luck, game),
    )


def _luck_in_points(luck: Luck, game: Game) -> Luck:
    names = ("agents", "deals", "rest")
    return Luck(**{name: in_points(getattr(luck, name), game.unit) for name in names})


def _active(participants: Sequence[PlanParticipant], removed: Mapping[int, Removal]) -> set[int]:
    return {
        number
        for number, participant in enumerate(participants)
        if participant.role is not ParticipantRole.FILLER and number not in removed
    }


def _columns(
    outcome: PlayedGames,
    participants: Sequence[PlanParticipant],
    game: Game,
    entries: Mapping[int, _Entries],
    adjustment: Adjustment | None,
) -> "_Columns":
    active = _active(participants, outcome.removed)
    ranked = {number for number in active if participants[number].role is ParticipantRole.ENTRANT}
    means = {
        number: mean
        for number, entry in entries.items()
        if (mean := mean_over_rounds(entry.by_round.values())) is not None
    }
    adjusted = _adjusted(adjustment, entries, fault_score=game.own_fault_score(0))
    return _Columns(
        means=means,
        places=places(_only(means, ranked), lower_is_better=game.lower_is_better),
        ranks=ranks(_only(means, ranked), lower_is_better=game.lower_is_better),
        adjusted=adjusted,
        adjusted_ranks=ranks(_only(adjusted, ranked), lower_is_better=game.lower_is_better),
        elo={}
        if not game.competitive
        else _elo(outcome.counted, lower_is_better=game.lower_is_better),
        faults=Counter(charge.participant for charge in outcome.charges),
        removed=outcome.removed,
        game=game,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    means: Mapping[int, Figure]
    places: Mapping[int, int]
    ranks: Mapping[int, int]
    adjusted: Mapping[int, Figure]
    adjusted_ranks: Mapping[int, int]
    elo: Mapping[int, float]
    faults: Mapping[int, int]
    removed: Mapping[int, Removal]
    game: Game

    def row(self, number: int, entries: _Entries) -> Standing:
        alone, lost, unit = entries.alone, self.game.lost_score, self.game.unit
        mean, adjusted = self.means.get(number), self.adjusted.get(number)
        return Standing(
            participant=number,
            games=entries.games,
            tables=len(entries.tables),
            lost=entries.lost(lost),
            mean=None if mean is None else mean.in_points(unit),
            place=self.places.get(number),
            rank=self.ranks.get(number),
            adjusted=None if adjusted is None else adjusted.in_points(unit),
            adjusted_rank=self.adjusted_ranks.get(number),
            self_play=summarise(alone, lost_score=lost, unit=unit) if alone else None,
            elo=self.elo.get(number),
            faults=self.faults.get(number, 0),
            removal=self.removed.get(number),
            tally=tally_of(self.game, ((score, 1) for score in entries.scores)) or UNSET,
        )


def _entries(outcome: PlayedGames, rules: Mapping[int, Game]) -> dict[int, _Entries]:
    entries: dict[int, _Entries] = {}
    for game in outcome.counted:
        if game.kind is TableKind.SELF:
            entries.setdefault(game.seating[0], _Entries()).alone.append(game.scores[0])
            continue
        for planned, member, score in zip(
            game.planned.seating, game.seating, game.scores, strict=True
        ):
            if planned == member:
                own = entries.setdefault(member, _Entries())
                own.enter(score, table=game.table, in_round=game.round, spoiled=False)
    for charge in outcome.charges:
        if charge.seats:
            own = entries.setdefault(charge.participant, _Entries())
            fault_score = rules[charge.size].own_fault_score(0)
            if charge.in_self_play:
                own.alone.append(fault_score)
            else:
                own.enter(
                    fault_score,
                    table=charge.table,
                    in_round=outcome.rounds[charge.table],
                    games=charge.seats,
                    spoiled=True,
                )
    return entries


def _adjusted(
    adjustment: Adjustment | None, entries: Mapping[int, _Entries], *, fault_score: int
) -> dict[int, Figure]:
    """With the games that an agent spoiled, in the share that they have of its games.

    That share is uncertain like everything else: of (1 - s) v + s f, with the faulted score f, the
    variance is (1 - s)² var v + (v - f)² var s.
    """
    figures: dict[int, Figure] = {}
    for number, (value, error) in adjustment.means.items() if adjustment is not None else ():
        own = entries.get(number)
        if own is not None and own.games:
            spoiled, unsure = ratio(own.spoiled.values())
            mixed = (1 - spoiled) * value + spoiled * fault_score
            reach = hypot((1 - spoiled) * error, (value - fault_score) * unsure)
            figures[number] = figure(mixed, reach, len(own.by_round))
    return figures


def _elo(games: Sequence[LedgerGame], *, lower_is_better: bool) -> dict[int, float]:
    cross = [game for game in games if game.kind is TableKind.CROSS]
    played = sorted(cross, key=lambda game: game.planned.index)
    return elo_ratings(
        [(game.seating, game.scores) for game in played], lower_is_better=lower_is_better
    )


def _only(figures: Mapping[int, Figure], numbers: Iterable[int]) -> dict[int, Figure]:
    return {number: figures[number] for number in sorted(numbers) if number in figures}


def _order(row: Standing, *, lower_is_better: bool) -> tuple[bool, bool, float, int]:
    value = 0.0 if row.mean is None else row.mean.value
    return (
        row.place is None,
        row.mean is None,
        value if lower_is_better else -value,
        row.participant,
    )
