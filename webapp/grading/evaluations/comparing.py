"""Comparisons of two agents on the deals that both played: the possible pairs, their results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grader.core.games import Game
from grader.core.words import counted
from grader.results.comparison import ExportComparison, compare, games_to_detect
from grader.results.evaluation import GameSetup, game_setup
from grader.results.figures import GameOutcome, outcome, win_units
from webapp.grading.evaluations.models import STOPPED, Evaluation, Kind

COMPARED_KINDS: Final = (Kind.PRACTICE, Kind.GRADED)
"""Kinds that can be compared: first tests are too short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    ours: Evaluation
    other: Evaluation
    comparison: ExportComparison
    won: ExportComparison | None
    """The comparison of wins (``win_units`` are one game); ``None`` without opponents."""
    game: Game

    @property
    def half_width(self) -> float | None:
        """The ± of the difference; ``None`` below two common deals."""
        difference = self.comparison.difference
        if difference.high is None or difference.mean is None:
            return None
        return difference.high - difference.mean

    @property
    def gains(self) -> int:
        difference = self.comparison.difference
        return difference.losses if self.game.lower_is_better else difference.wins

    @property
    def setbacks(self) -> int:
        difference = self.comparison.difference
        return difference.wins if self.game.lower_is_better else difference.losses

    @property
    def words(self) -> str:
        """``better``, ``worse``, or that it may be chance. Against opponents games won decide."""
        if self.is_same:
            return f"the same in all {counted(self.comparison.difference.n, 'game')}"
        comparison = self.comparison if self.won is None else self.won
        return {True: "better", False: "worse", None: "may be chance"}[comparison.better]

    @property
    def is_same(self) -> bool:
        return self.comparison.difference.ties == self.comparison.difference.n

    @property
    def lead(self) -> str:
        """``0.42 ± 0.11 points better than``; against opponents of games won, which decide."""
        if self.is_same:
            return f"The same in all {counted(self.comparison.difference.n, 'game')} as"
        if self.share is not None:
            reach = self.share_half_width
            half = "" if reach is None else f" ± {100 * reach:.1f}%"
            word = "more" if self.share >= 0 else "fewer"
            return f"{100 * abs(self.share):.1f}%{half} {word} games won than"
        mean = self.comparison.difference.mean or 0.0
        half = "" if self.half_width is None else f" ± {self.half_width:.2f}"
        word = "better" if (mean > 0) is not self.game.lower_is_better else "worse"
        return f"{abs(mean):.2f}{half} points {word} than"

    @property
    def share(self) -> float | None:
        """The difference in games won, as a share; ``None`` without opponents."""
        if self.won is None or self.won.difference.mean is None:
            return None
        return self.won.difference.mean / win_units(self.game.seats)

    @property
    def share_half_width(self) -> float | None:
        if self.won is None or self.share is None or self.won.difference.high is None:
            return None
        return self.won.difference.high / win_units(self.game.seats) - self.share

    @property
    def games_to_tell(self) -> int | None:
        """Common deals that would show a difference as large as this, 4 times in 5.

        ``None`` where the deals that were played show it, or there is none.
        """
        sd, mean = self.comparison.sd, self.comparison.difference.mean
        if self.comparison.better is not None or not sd or not mean:
            return None
        return games_to_detect(sd, mean)

    @property
    def same_team(self) -> bool:
        ours, other = self.ours.submission, self.other.submission
        return ours is not None and other is not None and ours.team_id == other.team_id

    @property
    def other_name(self) -> str:
        submission = self.other.submission
        if submission is None:
            return self.other.agent_name
        return f"submission {submission.number}" if self.same_team else str(submission)


def comparable(a: Evaluation, b: Evaluation) -> bool:
    """Return whether both were played by the same rules, at the same seats, with the same deals."""
    if a.kind != b.kind or a.kind not in COMPARED_KINDS or a.assignment_id != b.assignment_id:
        return False
    same = ("game", "options", "seating", "opponents")
    return all(a.spec.get(name) == b.spec.get(name) for name in same)


def on_same_deals(evaluation: Evaluation, offered: Iterable[Evaluation]) -> list[Evaluation]:
    """Return the evaluations whose games can be compared with this one's."""
    return [other for other in offered if other != evaluation and comparable(evaluation, other)]


def game_on_same_deal(ours: Evaluation, index: int, other: Evaluation) -> int | None:
    """Return the index of the other's game with the cards and seats of this game, if any."""
    if not comparable(ours, other):
        return None
    where = game_setup(ours.parsed_spec, index)
    spec = other.parsed_spec
    return next((at for at in range(other.n_games) if game_setup(spec, at) == where), None)


@dataclass(frozen=True, slots=True)
class GameApart:
    """A deal that two agents played, as each of them scored it."""

    index: int
    """The index of the first agent's game."""
    score: int
    other_score: int


def games_apart(ours: Evaluation, other: Evaluation, *, limit: int) -> list[GameApart]:
    """The games on common deals whose scores differ most; two queries."""
    mine, theirs = _scores(ours), _scores(other)
    common = [
        GameApart(index, score, theirs[where][1])
        for where, (index, score) in mine.items()
        if where in theirs
    ]
    apart = [game for game in common if game.score != game.other_score]
    return sorted(apart, key=lambda game: (-abs(game.score - game.other_score), game.index))[:limit]


def _scores(evaluation: Evaluation) -> dict[GameSetup, tuple[int, int]]:
    spec = evaluation.parsed_spec
    rows = evaluation.results.exclude(ending=STOPPED).values_list("index", "score")
    return {game_setup(spec, index): (index, score) for index, score in rows}


def pair_of(ours: Evaluation, other: Evaluation) -> Pair | None:
    """One over the other; ``None`` if they cannot be compared. At most two queries."""
    if not comparable(ours, other):
        return None
    game = ours.assignment.rules
    mine, theirs = _games(ours, game), _games(other, game)
    comparison = _compared(
        mine, theirs, "score", lower_is_better=game.lower_is_better, unit=game.unit
    )
    if comparison.difference.mean is None:
        return None
    against = bool(ours.opponents)
    return Pair(
        ours=ours,
        other=other,
        comparison=comparison,
        won=_compared(mine, theirs, "won") if against else None,
        game=game,
    )


def _compared(
    mine: Mapping[GameSetup, GameOutcome],
    theirs: Mapping[GameSetup, GameOutcome],
    what: str,
    *,
    lower_is_better: bool = False,
    unit: Fraction = Fraction(1),
) -> ExportComparison:
    a, b = (
        {played: getattr(game, what) for played, game in games.items()} for games in (mine, theirs)
    )
    return compare(
        a, b, lower_is_better=lower_is_better, unit=unit, deal_of=lambda played: played.deal
    )


def with_version_before(evaluation: Evaluation) -> Pair | None:
    """Return the evaluation over the team's latest earlier comparable one, if there is one."""
    submission = evaluation.submission
    nothing = evaluation.is_open or evaluation.mean is None
    if submission is None or nothing or evaluation.kind not in COMPARED_KINDS:
        return None
    earlier = Evaluation.objects.current().filter(
        submission__team=submission.team_id,
        submission__number__lt=submission.number,
        kind=evaluation.kind,
        mean__isnull=False,
    )
    related = earlier.select_related("submission__team", "assignment")
    for other in related.order_by("-submission__number"):
        if pair := pair_of(evaluation, other):
            return pair
    return None


def _games(evaluation: Evaluation, game: Game) -> dict[GameSetup, GameOutcome]:
    """Return the outcome of each game that was played; a fault of the agent counts as not won.

    By seating and deal: two evaluations may have different numbers of games, without which an index
    says nothing.
    """
    spec = evaluation.parsed_spec
    rows = evaluation.results.exclude(ending=STOPPED)
    outcomes = {}
    for index, score, scores, fault in rows.values_list("index", "score", "scores", "fault_kind"):
        where = game_setup(spec, index)
        won = 0 if fault else outcome(game, scores, where.seat).won
        outcomes[where] = GameOutcome(score, won)
    return outcomes
