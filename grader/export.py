"""The file an instructor downloads: everything an evaluation's grade rests on, and its proof.

Pure. ``verify_export`` believes nothing the file claims: deals are derived from the secret again,
every game is replayed by the rules, and figures and points are computed from the games. No student
code runs for that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isclose

from grader.deals import commitment, deal_seed
from grader.errors import RecordError, RulesError
from grader.evaluation import (
    EvaluationSpec,
    GradingScheme,
    agent_score,
    counted_scores,
)
from grader.games import Game, game_from_options
from grader.interfaces import mode_of
from grader.records import FORMAT, AgentRef, GameResult
from grader.replay import replay
from grader.statistics import Summary, summarise

__all__ = [
    "EvaluationExport",
    "Finding",
    "VerificationReport",
    "export_evaluation",
    "verify_export",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationExport:
    """One evaluation, complete."""

    v: int = FORMAT
    title: str
    """For readers only: assignment, team, date. Nothing is derived from it."""
    spec: EvaluationSpec
    commitment: str
    """What was published before the games: binds the secret."""
    secret: str | None
    """In hexadecimal, once it may be known."""
    agents: tuple[AgentRef, ...]
    results: tuple[GameResult, ...]
    """By index; games after the one that stopped a faulty evaluation may be missing."""
    summary: Summary
    scheme: GradingScheme | None
    points: Decimal | None
    """``None`` without a scheme or without games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is not as it should be."""

    index: int | None
    """The game it concerns; ``None``: the whole evaluation."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationReport:
    """What came out of checking an export."""

    games: int
    """Games replayed without a discrepancy."""
    deals_derived: bool
    """Whether the deals could be derived from the secret; not without it."""
    findings: tuple[Finding, ...]
    summary: Summary | None
    """Computed from the games; ``None`` if games that count are missing or unreadable."""
    points: Decimal | None

    @property
    def ok(self) -> bool:
        """Nothing was found that contradicts the export."""
        return not self.findings


def export_evaluation(
    spec: EvaluationSpec,
    *,
    title: str,
    secret: bytes,
    reveal_secret: bool,
    agents: Sequence[AgentRef],
    results: Sequence[GameResult],
    scheme: GradingScheme | None = None,
) -> EvaluationExport:
    """Put a finished evaluation together. Raises RecordError if games that count are missing."""
    summary = _summary(spec, _game(spec), results)
    return EvaluationExport(
        title=title,
        spec=spec,
        commitment=commitment(secret),
        secret=secret.hex() if reveal_secret else None,
        agents=tuple(agents),
        results=tuple(sorted(results, key=lambda result: result.index)),
        summary=summary,
        scheme=scheme,
        points=_points(scheme, summary),
    )


def verify_export(export: EvaluationExport) -> VerificationReport:
    """Derive an export's grade again from its records; see the module's docstring."""
    findings: list[Finding] = []
    secret = _secret(export, findings)
    summary, clean = None, 0
    try:
        game = _game(export.spec)
        clean = _check_games(export, game, secret, findings)
        summary = _summary(export.spec, game, export.results)
    except RecordError as error:
        findings.append(Finding(index=None, text=str(error)))
    points = None if summary is None else _points(export.scheme, summary)
    if summary is not None:
        findings += _compare(export, summary, points)
    return VerificationReport(
        games=clean,
        deals_derived=secret is not None,
        findings=tuple(findings),
        summary=summary,
        points=points,
    )


def _game(spec: EvaluationSpec) -> Game:
    try:
        game = game_from_options(spec.game, spec.options)
    except RulesError as error:
        raise RecordError(f"the evaluation's options are not playable: {error}") from error
    if len(spec.seating) != game.seats:
        raise RecordError(f"{len(spec.seating)} seats are assigned in a game of {game.seats}")
    if 0 not in spec.seating:
        raise RecordError("agent 0, which is evaluated, has no seat")
    return game


def _summary(spec: EvaluationSpec, game: Game, results: Sequence[GameResult]) -> Summary:
    scores = {result.index: agent_score(result.record, spec.seating) for result in results}
    counted = counted_scores(
        scores,
        n=spec.n_games,
        max_consecutive_faults=spec.max_consecutive_faults,
        fault_score=game.fault_scores[spec.seating.index(0)],
    )
    return summarise(counted)


def _points(scheme: GradingScheme | None, summary: Summary) -> Decimal | None:
    if scheme is None or summary.mean is None:
        return None
    return scheme.points(summary.mean)


def _secret(export: EvaluationExport, findings: list[Finding]) -> bytes | None:
    """The secret if it is there and the one that was committed to."""
    if export.secret is None:
        return None
    try:
        secret = bytes.fromhex(export.secret)
        deal_seed(secret, 0)
    except ValueError as error:
        findings.append(Finding(index=None, text=f"the secret is unusable: {error}"))
        return None
    if commitment(secret) != export.commitment:
        text = f"the secret's commitment is {commitment(secret)}, published was {export.commitment}"
        findings.append(Finding(index=None, text=text))
    return secret


def _check_games(
    export: EvaluationExport, game: Game, secret: bytes | None, findings: list[Finding]
) -> int:
    seen: set[int] = set()
    clean = 0
    for result in export.results:
        texts = list(_check_game(export, game, secret, result))
        if result.index in seen:
            texts.append("the game is there twice")
        seen.add(result.index)
        findings += [Finding(index=result.index, text=text) for text in texts]
        clean += not texts
    return clean


def _check_game(
    export: EvaluationExport, game: Game, secret: bytes | None, result: GameResult
) -> Iterator[str]:
    spec, record = export.spec, result.record
    if not 0 <= result.index < spec.n_games:
        yield f"the evaluation has games 0 to {spec.n_games - 1} only"
    elif secret is not None and deal_seed(secret, result.index).hex() != record.deal_seed:
        yield "the deal is not the one that the secret gives"
    if record.game != game.name or record.options != dict(game.options):
        yield "it was played by other rules or options than the evaluation's"
    if (result.evidence is None) != (record.fault is None):
        yield "evidence must be there exactly if a fault ended the game"
    try:
        interfaces = [agent.interface for agent in export.agents]
        mode = mode_of(interfaces, spec.seating, spec.mode)
        if record.mode is not mode:
            yield f"it was played in mode {record.mode}, the evaluation's is {mode}"
        replay(record)
    except RecordError as error:
        yield str(error)


def _compare(
    export: EvaluationExport, summary: Summary, points: Decimal | None
) -> Iterator[Finding]:
    if not _same(summary, export.summary):
        text = f"the games give {_figures(summary)}, the export says {_figures(export.summary)}"
        yield Finding(index=None, text=text)
    if points != export.points:
        text = f"the games give {points} points, the export says {export.points}"
        yield Finding(index=None, text=text)


def _same(a: Summary, b: Summary) -> bool:
    """Equal but for the last digits, in which other machines' sines and roots may differ."""
    exact = (a.n, a.total, a.histogram, a.best, a.worst, a.lost)
    if exact != (b.n, b.total, b.histogram, b.best, b.worst, b.lost):
        return False
    rounded = ((a.mean, b.mean), (a.sd, b.sd), (a.low, b.low), (a.high, b.high))
    return all(
        x == y or (x is not None and y is not None and isclose(x, y, rel_tol=1e-9, abs_tol=1e-9))
        for x, y in (*rounded, (a.standard_error, b.standard_error))
    )


def _figures(summary: Summary) -> str:
    return f"n = {summary.n}, mean {summary.mean}, standard error {summary.standard_error}"
