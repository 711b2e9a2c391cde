"""The file of a whole tournament: everything its standings rest on, and their proof.

Pure. ``verify_tournament`` believes nothing the file claims: the plan and every deal are derived
from the secret again, every game is replayed by the rules, the ledger says again what counts, and
standings are computed from that. No agent runs for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Final

from grader.core.deals import commitment, deal_seed
from grader.core.errors import PlanError, RecordError, RulesError
from grader.core.games import Game
from grader.core.records import FORMAT, GameResult, Mode
from grader.results.export import Finding, disclosed_secret, same_summary
from grader.results.replay import replay
from grader.results.statistics import Summary
from grader.tournament.adjusted_means import Luck
from grader.tournament.crossplay import CrossPlay, cross_play
from grader.tournament.figures import Figure, ranks
from grader.tournament.games_due import Ledger, played
from grader.tournament.plan import Plan, PlannedGame, plan_tournament
from grader.tournament.spec import (
    Exclusion,
    PlanParticipant,
    TournamentSpec,
    players_and_fillers,
    rules_of,
)
from grader.tournament.standings import Standing, Standings, standings

_TOLERANCE: Final = 1e-3
"""The tolerance for figures from linear algebra, in points and as a share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A game, and who played it."""

    seating: tuple[int, ...]
    """For each seat, the number of the participant that sat there."""
    result: GameResult
    """Its index is the plan's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentExport:
    """One tournament, complete or as it was when it was cancelled."""

    v: int = FORMAT
    title: str
    """For readers only."""
    tournament: TournamentSpec
    participants: tuple[PlanParticipant, ...]
    exclusions: tuple[Exclusion, ...]
    commitment: str
    """The commitment published before the games: it binds the secret."""
    secret: str | None
    """In hexadecimal, once it may be known."""
    results: tuple[TournamentResult, ...]
    """Every game that was played, spoiled ones too."""
    finished: bool
    standings: Standings
    cross_play: CrossPlay


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentVerification:
    """The result of checking an export."""

    games: int
    """Games replayed without a discrepancy."""
    counted: int
    """Games that count, by the ledger; 0 without the secret."""
    plan_derived: bool
    """True if plan and deals could be derived from the secret; False without it."""
    findings: tuple[Finding, ...]
    standings: Standings | None
    """Computed from the games."""

    @property
    def ok(self) -> bool:
        """Nothing was found that contradicts the export."""
        return not self.findings


def ledger_of(
    spec: TournamentSpec,
    participants: Sequence[PlanParticipant],
    *,
    secret: bytes,
    exclusions: Sequence[Exclusion] = (),
    results: Sequence[TournamentResult] = (),
) -> Ledger:
    """Plan a tournament and enter its results. Raises PlanError and RecordError."""
    players, fillers = players_and_fillers(participants)
    plan = plan_tournament(spec, players=players, fillers=fillers, secret=secret)
    return Ledger(
        plan,
        spec.policy,
        secret=secret,
        exclusions=exclusions,
        results=[played(result.result, result.seating) for result in results],
    )


def export_tournament(
    spec: TournamentSpec,
    participants: Sequence[PlanParticipant],
    *,
    title: str,
    secret: bytes,
    reveal_secret: bool,
    exclusions: Sequence[Exclusion] = (),
    results: Sequence[TournamentResult] = (),
    ledger: Ledger | None = None,
) -> TournamentExport:
    """Build the export of a tournament. Raises PlanError, RulesError and RecordError.

    A caller who has entered the results in a ``ledger`` may leave them out, and put them into the
    file where they belong: of a large tournament they are too many to be held at once.
    """
    if ledger is None:
        ledger = ledger_of(
            spec, participants, secret=secret, exclusions=exclusions, results=results
        )
    return TournamentExport(
        title=title,
        tournament=spec,
        participants=tuple(participants),
        exclusions=tuple(exclusions),
        commitment=commitment(secret),
        secret=secret.hex() if reveal_secret else None,
        results=tuple(sorted(results, key=lambda game: (game.result.index, game.seating))),
        finished=ledger.finished,
        standings=standings(ledger, participants, rules_of(spec)),
        cross_play=cross_play(ledger.counted, len(participants), rules_of(spec)),
    )


def verify_tournament(export: TournamentExport) -> TournamentVerification:
    """Derive an export's standings again from its records; see the module's docstring."""
    findings: list[Finding] = []
    try:
        rules = rules_of(export.tournament)
        secret = disclosed_secret(export.secret, export.commitment, findings)
        ledger = None
        if secret is not None:
            ledger = ledger_of(
                export.tournament,
                export.participants,
                secret=secret,
                exclusions=export.exclusions,
                results=export.results,
            )
    except (PlanError, RecordError, RulesError) as error:
        findings.append(Finding(index=None, text=str(error)))
        return _report(findings)
    plan = None if ledger is None else ledger.plan
    clean = _check_games(export, rules, plan, secret, findings)
    if ledger is None:
        return _report(findings, clean=clean)
    ranking = standings(ledger, export.participants, rules)
    lower_is_better = next(iter(rules.values())).lower_is_better
    findings += _compare(export, ledger, rules)
    findings += _compare_standings(export.standings, ranking, lower_is_better=lower_is_better)
    return _report(findings, clean=clean, ledger=ledger, ranking=ranking)


def _report(
    findings: Sequence[Finding],
    *,
    clean: int = 0,
    ledger: Ledger | None = None,
    ranking: Standings | None = None,
) -> TournamentVerification:
    return TournamentVerification(
        games=clean,
        counted=0 if ledger is None else len(ledger.counted),
        plan_derived=ledger is not None,
        findings=tuple(findings),
        standings=ranking,
    )


def _check_games(
    export: TournamentExport,
    rules: Mapping[int, Game],
    plan: Plan | None,
    secret: bytes | None,
    findings: list[Finding],
) -> int:
    games = (
        {} if plan is None else {game.index: game for table in plan.tables for game in table.games}
    )
    seen: set[tuple[int, tuple[int, ...]]] = set()
    clean = 0
    for result in export.results:
        texts = list(_check_game(result, rules))
        if secret is not None:
            texts += _check_deal(result.result, games.get(result.result.index), secret)
        if (result.result.index, result.seating) in seen:
            texts.append("the game is there twice")
        seen.add((result.result.index, result.seating))
        findings += [Finding(index=result.result.index, text=text) for text in texts]
        clean += not texts
    return clean


def _check_game(result: TournamentResult, rules: Mapping[int, Game]) -> Iterator[str]:
    record = result.result.record
    game = rules.get(len(result.seating))
    if game is None:
        yield f"the tournament has no tables of {len(result.seating)}"
    elif record.game != game.name or record.options != dict(game.options):
        yield "it was played by other rules or options than the tournament's"
    if record.mode is not Mode.SEAT:
        yield f"it was played in mode {record.mode}"
    if (result.result.evidence is None) != (record.fault is None):
        yield "evidence must be there exactly if a fault ended the game"
    try:
        replay(record)
    except RecordError as error:
        yield str(error)


def _check_deal(result: GameResult, planned: PlannedGame | None, secret: bytes) -> Iterator[str]:
    if planned is None:
        yield "the plan has no such game"
    elif deal_seed(secret, planned.deal).hex() != result.record.deal_seed:
        yield "the deal is not the one that the secret gives"


def _compare(
    export: TournamentExport, ledger: Ledger, rules: Mapping[int, Game]
) -> Iterator[Finding]:
    if ledger.finished != export.finished:
        word = "complete" if ledger.finished else "not complete"
        yield Finding(index=None, text=f"by its games the tournament is {word}")
    if cross_play(ledger.counted, len(export.participants), rules) != export.cross_play:
        yield Finding(index=None, text="the games give another table of pairs than the export has")


def _compare_standings(
    claimed: Standings, standings: Standings, *, lower_is_better: bool
) -> Iterator[Finding]:
    rows = {row.participant: row for row in claimed.rows}
    adjusted_ranks = _adjusted_ranks(claimed, standings, lower_is_better=lower_is_better)
    for row in standings.rows:
        number = row.participant
        if not _same(row, rows.get(number), adjusted_ranks.get(number)):
            text = f"the games give another standing for participant {number}"
            yield Finding(index=None, text=text)
    order = [row.participant for row in standings.rows]
    for number in rows:
        if number not in order:
            yield Finding(index=None, text=f"there is no participant {number}")
    if [row.participant for row in claimed.rows] != order:
        yield Finding(index=None, text="the games give the standings in another order")
    if not _close(standings.luck, claimed.luck, _TOLERANCE):
        yield Finding(index=None, text="the games give other shares of luck than the export has")


def _adjusted_ranks(
    claimed: Standings, standings: Standings, *, lower_is_better: bool
) -> dict[int, int]:
    """Rank the claimed figures: last digits, in which machines differ, can decide a rank."""
    ranked = {row.participant for row in standings.rows if row.rank is not None}
    figures = {
        row.participant: row.adjusted
        for row in claimed.rows
        if row.adjusted is not None and row.participant in ranked
    }
    return ranks(figures, lower_is_better=lower_is_better)


def _same(row: Standing, claimed: Standing | None, adjusted_rank: int | None) -> bool:
    """Compare figures but for last digits, in which machines' linear algebra may differ."""
    if claimed is None or claimed.adjusted_rank != adjusted_rank:
        return False
    exact = ("games", "tables", "lost", "place", "rank", "faults", "removal", "tally")
    if any(getattr(row, name) != getattr(claimed, name) for name in exact):
        return False
    return (
        _same_alone(row.self_play, claimed.self_play)
        and _close(row.mean, claimed.mean, 1e-9)
        and _close(row.adjusted, claimed.adjusted, _TOLERANCE)
        and _near(row.elo, claimed.elo, 1e-6)
    )


def _same_alone(a: Summary | None, b: Summary | None) -> bool:
    return a is b if a is None or b is None else same_summary(a, b)


def _close(a: Figure | Luck | None, b: Figure | Luck | None, tolerance: float) -> bool:
    if a is None or b is None:
        return a is b
    names = ("value", "low", "high") if isinstance(a, Figure) else ("agents", "deals", "rest")
    return all(_near(getattr(a, name), getattr(b, name), tolerance) for name in names)


def _near(x: float | None, y: float | None, tolerance: float) -> bool:
    if x is None or y is None:
        return x is y
    return isclose(x, y, rel_tol=tolerance, abs_tol=tolerance)
