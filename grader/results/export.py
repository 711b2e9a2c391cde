"""The file an instructor downloads: everything from which an evaluation's grade follows.

Pure. ``verify_export`` believes nothing the file claims: deals are derived from the secret again,
every game is replayed by the rules, and figures and points are computed from the games. No student
code runs for that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isclose

from grader.core.deals import commitment, deal_seed
from grader.core.errors import RecordError, RulesError
from grader.core.games import Game, game_from_options
from grader.core.records import FORMAT, AgentRef, GameResult
from grader.interfaces import mode_of
from grader.results.evaluation import MAX_GAMES, EvaluationSpec, game_setup
from grader.results.figures import Against, Figures, figures, outcomes_of
from grader.results.grading_scheme import GradingScheme
from grader.results.replay import replay
from grader.results.statistics import Estimate, Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationExport:
    """One evaluation, complete."""

    v: int = FORMAT
    title: str
    """For readers only: assignment, team, date. Nothing is derived from it."""
    spec: EvaluationSpec
    commitment: str
    """The commitment published before the games: it binds the secret."""
    secret: str | None
    """In hexadecimal, once it is revealed."""
    agents: tuple[AgentRef, ...]
    results: tuple[GameResult, ...]
    """By index; games after the one that stopped a faulty evaluation may be missing."""
    summary: Summary
    scheme: GradingScheme | None
    points: Decimal | None
    """``None`` without a scheme or without games."""
    against: Against | None = None
    """The share it won of each opponent, if it played against opponents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A discrepancy."""

    index: int | None
    """The game it concerns; ``None``: the whole evaluation."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationReport:
    """The result of checking an export."""

    games: int
    """Games replayed without a discrepancy."""
    deals_derived: bool
    """True if the deals could be derived from the secret; False without it."""
    findings: tuple[Finding, ...]
    summary: Summary | None
    """Computed from the games; ``None`` if games that count are missing or unreadable."""
    points: Decimal | None
    against: Against | None = None

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
    figures = _figures(spec, _game(spec), results)
    return EvaluationExport(
        title=title,
        spec=spec,
        commitment=commitment(secret),
        secret=secret.hex() if reveal_secret else None,
        agents=tuple(agents),
        results=tuple(sorted(results, key=lambda result: result.index)),
        summary=figures.summary,
        scheme=scheme,
        points=_points(scheme, figures),
        against=figures.against,
    )


def verify_export(export: EvaluationExport) -> VerificationReport:
    """Derive an export's grade again from its records; see the module's docstring."""
    findings: list[Finding] = []
    secret = disclosed_secret(export.secret, export.commitment, findings)
    findings += _agents_missing(export)
    figures, clean = None, 0
    try:
        game = _game(export.spec)
        clean = _check_games(export, game, secret, findings)
        figures = _figures(export.spec, game, export.results)
    except RecordError as error:
        findings.append(Finding(index=None, text=str(error)))
    points = None if figures is None else _points(export.scheme, figures)
    if figures is not None:
        findings += _compare(export, figures, points)
    return VerificationReport(
        games=clean,
        deals_derived=secret is not None,
        findings=tuple(findings),
        summary=None if figures is None else figures.summary,
        points=points,
        against=None if figures is None else figures.against,
    )


def _agents_missing(export: EvaluationExport) -> Iterator[Finding]:
    wanted = max((*export.spec.seating, len(export.spec.opponents))) + 1
    if len(export.agents) < wanted:
        text = f"it names {len(export.agents)} agents, and {wanted} played"
        yield Finding(index=None, text=text)


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


def _figures(spec: EvaluationSpec, game: Game, results: Sequence[GameResult]) -> Figures:
    return figures(spec, game, outcomes_of(spec, game, results))


def _points(scheme: GradingScheme | None, figures: Figures) -> Decimal | None:
    if scheme is None or figures.summary.mean is None:
        return None
    return scheme.points(figures.summary.mean, figures.against.shares if figures.against else None)


def disclosed_secret(text: str | None, published: str, findings: list[Finding]) -> bytes | None:
    """Return the secret that an export discloses, if it is usable.

    Adds a finding if it is not, or is not the one to which the ``published`` commitment binds.
    """
    if text is None:
        return None
    try:
        secret = bytes.fromhex(text)
        deal_seed(secret, 0)
    except ValueError as error:
        findings.append(Finding(index=None, text=f"the secret is unusable: {error}"))
        return None
    if (given := commitment(secret)) != published:
        finding = f"the secret's commitment is {given}, published was {published}"
        findings.append(Finding(index=None, text=finding))
    return secret


def _check_games(
    export: EvaluationExport, game: Game, secret: bytes | None, findings: list[Finding]
) -> int:
    if export.spec.n_games > MAX_GAMES:
        raise RecordError(f"the evaluation has more than {MAX_GAMES:,} games")
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
    else:
        yield from _check_game_setup(spec, secret, result)
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


def _check_game_setup(
    spec: EvaluationSpec, secret: bytes | None, result: GameResult
) -> Iterator[str]:
    deal, seating = game_setup(spec, result.index)
    if secret is not None and deal_seed(secret, deal).hex() != result.record.deal_seed:
        yield "the deal is not the one that the secret gives"
    if result.seating != (seating if spec.opponents else ()):
        yield f"agents sat as {result.seating}, the evaluation has them sit as {seating}"


def _compare(
    export: EvaluationExport, figures: Figures, points: Decimal | None
) -> Iterator[Finding]:
    summary = figures.summary
    if not same_summary(summary, export.summary):
        text = f"the games give {_in_words(summary)}, the export says {_in_words(export.summary)}"
        yield Finding(index=None, text=text)
    if not _same_against(figures.against, export.against):
        yield Finding(index=None, text="what was won of whom is not what the games give")
    if points != export.points:
        text = f"the games give {points} points, the export says {export.points}"
        yield Finding(index=None, text=text)


def same_summary(a: Summary, b: Summary) -> bool:
    """Equal but for the last digits, in which other machines' sines and roots may differ."""
    exact = (a.n, a.total, a.histogram, a.best, a.worst, a.lost)
    if exact != (b.n, b.total, b.histogram, b.best, b.worst, b.lost):
        return False
    return _alike(
        (a.mean, a.sd, a.low, a.high, a.standard_error),
        (b.mean, b.sd, b.low, b.high, b.standard_error),
    )


def _same_against(a: Against | None, b: Against | None) -> bool:
    if a is None or b is None:
        return a is b
    names = [[(opponent.name, opponent.games) for opponent in both.opponents] for both in (a, b)]
    if names[0] != names[1]:
        return False
    pairs = [(a.won, b.won)]
    for mine, theirs in zip(a.opponents, b.opponents, strict=True):
        pairs += [(mine.won, theirs.won), (mine.mean, theirs.mean)]
    return all(_alike(_numbers(mine), _numbers(theirs)) for mine, theirs in pairs)


def _numbers(of: Estimate) -> tuple[float | None, ...]:
    return of.n, of.mean, of.standard_error, of.low, of.high


def _alike(some: Sequence[float | None], others: Sequence[float | None]) -> bool:
    return all(
        x == y or (x is not None and y is not None and isclose(x, y, rel_tol=1e-9, abs_tol=1e-9))
        for x, y in zip(some, others, strict=True)
    )


def _in_words(summary: Summary) -> str:
    return f"n = {summary.n}, mean {summary.mean}, standard error {summary.standard_error}"
