"""Who stands where: derived from evaluations each time it is asked, never stored.

This is also the one place that decides what of it a viewer may know: pages and CSV get a Board that
holds nothing else.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final
from uuid import UUID

from grader.core.games import Game
from grader.core.records import Mode
from webapp.courses.models import Assignment, Team
from webapp.courses.models.course import STAFF_ROLES
from webapp.courses.permissions import Person, role_in
from webapp.errors import NotAllowed
from webapp.evaluations.models import Evaluation, Kind
from webapp.gradebook.models import Grade
from webapp.leaderboards.permissions import may_see_board
from webapp.spreadsheets import Cell, to_csv
from webapp.submissions.selectors import counted_submissions

MEAN_DIGITS: Final = 2
"""Means are shown, and ranked, to so many digits: what looks equal shares a rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row, with what its viewer may know and nothing more."""

    rank: int | None
    """``None`` for house agents: they are reference lines among the ranks."""
    shares_rank: bool
    alias: str
    names: tuple[str, ...]
    """Real names; empty unless the viewer may see them."""
    mine: bool
    is_house: bool
    mean: float
    low: float | None
    high: float | None
    standard_error: float | None
    n_games: int
    histogram: tuple[tuple[int, int], ...]
    won: float | None
    """Share of the games that were won; ``None`` if there were no opponents."""
    won_half_width: float | None
    lost: int
    faults: int
    verdict: str
    interface: str
    """What its agent is written against: a name of ``grader.interfaces``."""
    mode: Mode
    """Which seats shared a process."""
    tied_with_above: bool
    """Its interval overlaps that of the ranked row above: the order may be chance."""
    finished_at: datetime
    evaluation_uuid: UUID | None
    """For a link; ``None`` unless the viewer may open it."""
    submission_number: int | None
    """``None`` unless it is the viewer's own, or the viewer is staff."""
    is_outdated: bool
    """The team has a later submission that counts and has not been evaluated so yet."""

    @property
    def half_width(self) -> float | None:
        """The ± of the mean's 95 % interval."""
        return None if self.high is None else self.high - self.mean

    @property
    def is_team_played(self) -> bool:
        """Whether one process played all seats."""
        return self.mode is Mode.TEAM


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A leaderboard as one viewer may see it."""

    assignment: Assignment
    kind: Kind
    rows: tuple[Standing, ...]
    """Best first."""
    n_teams: int
    game: Game
    has_team_mode: bool
    """Whether some of its games were played by one process for all seats."""
    shows_names: bool
    shows_interfaces: bool
    """Whether agents may be written against several."""
    opponents: tuple[str, ...]
    """Whom agents were played against."""
    updated_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Viewer:
    """What the viewer is entitled to."""

    user_id: int | None
    are_enrolled: bool
    are_staff: bool
    see_names: bool

    @classmethod
    def of(cls, viewer: Person, assignment: Assignment) -> "_Viewer":
        """One query."""
        role = role_in(viewer, assignment.course)
        staff = role in STAFF_ROLES
        return cls(
            user_id=viewer.pk,
            are_enrolled=role is not None,
            are_staff=staff,
            see_names=staff or (role is not None and assignment.course.show_names),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An evaluation that stands on the board, and whose it is."""

    evaluation: Evaluation
    team: Team | None
    is_outdated: bool

    @property
    def shown_mean(self) -> float:
        return round(self.evaluation.mean or 0.0, MEAN_DIGITS)

    def place(self, game: Game) -> float:
        """A number that is lower the better the mean is."""
        return self.shown_mean if game.lower_is_better else -self.shown_mean


def standings(assignment: Assignment, viewer: Person, *, kind: Kind | str = Kind.GRADED) -> Board:
    """The leaderboard for this viewer. A fixed number of queries, whatever the number of teams.

    Graded: each team's grade's evaluation. Practice: that of its latest submission that has one.
    Raises NotAllowed.
    """
    if not may_see_board(viewer, assignment):
        raise NotAllowed("This leaderboard is not published.")
    eyes = _Viewer.of(viewer, assignment)
    kind, game = Kind(kind), assignment.rules
    entries = sorted(
        [*_team_entries(assignment, kind), *_house_entries(assignment, kind)],
        key=lambda entry: (entry.place(game), entry.team is not None, entry.evaluation.uuid),
    )
    rows = tuple(_rows(entries, eyes))
    return Board(
        assignment=assignment,
        kind=kind,
        rows=rows,
        game=game,
        has_team_mode=any(row.is_team_played for row in rows),
        n_teams=sum(not row.is_house for row in rows),
        shows_names=eyes.see_names,
        shows_interfaces=len(assignment.interfaces) > 1,
        opponents=tuple(assignment.opponents),
        updated_at=max((row.finished_at for row in rows), default=None),
    )


def _team_entries(assignment: Assignment, kind: Kind) -> list[_Entry]:
    counted = counted_submissions(assignment)
    evaluations = (
        _graded(assignment) if kind == Kind.GRADED else _latest_of_each_team(assignment, kind)
    )
    entries = []
    for evaluation in evaluations:
        submission = evaluation.submission
        if submission is not None and evaluation.mean is not None:
            now = counted.get(submission.team_id)
            outdated = now is not None and now != submission and kind == Kind.GRADED
            entries.append(
                _Entry(evaluation=evaluation, team=submission.team, is_outdated=outdated)
            )
    return entries


def _graded(assignment: Assignment) -> list[Evaluation]:
    grades = Grade.objects.filter(team__assignment=assignment, is_current=True)
    related = grades.select_related("evaluation__submission__team")
    return [
        grade.evaluation
        for grade in related.prefetch_related("evaluation__submission__team__users")
    ]


def _latest_of_each_team(assignment: Assignment, kind: Kind) -> Iterable[Evaluation]:
    current = (
        Evaluation.objects.current()
        .filter(assignment=assignment, kind=kind, submission__isnull=False)
        .select_related("submission__team")
        .prefetch_related("submission__team__users")
        .order_by("submission__number")
    )
    return {
        evaluation.submission.team_id: evaluation
        for evaluation in current
        if evaluation.submission is not None
    }.values()


def _house_entries(assignment: Assignment, kind: Kind) -> list[_Entry]:
    current = Evaluation.objects.current().filter(
        assignment=assignment, kind=kind, submission__isnull=True, mean__isnull=False
    )
    return [_Entry(evaluation=evaluation, team=None, is_outdated=False) for evaluation in current]


def _ranks(means: Sequence[float]) -> list[int]:
    """Ranks for means, the best first; equal means share one, and the next is skipped."""
    ranks: list[int] = []
    for place, mean in enumerate(means, 1):
        equal = place > 1 and mean == means[place - 2]
        ranks.append(ranks[-1] if equal else place)
    return ranks


def _rows(entries: Sequence[_Entry], eyes: _Viewer) -> Iterable[Standing]:
    teams = [entry for entry in entries if entry.team is not None]
    ranks = _ranks([entry.shown_mean for entry in teams])
    places = {id(entry): rank for entry, rank in zip(teams, ranks, strict=True)}
    tied = {id(below) for above, below in pairwise(teams) if _overlap(above, below)}
    for entry in entries:
        rank = places.get(id(entry))
        yield _standing(
            entry,
            eyes,
            rank=rank,
            shares_rank=rank is not None and ranks.count(rank) > 1,
            tied_with_above=id(entry) in tied,
        )


def _standing(
    entry: _Entry, eyes: _Viewer, *, rank: int | None, shares_rank: bool, tied_with_above: bool
) -> Standing:
    """The row as these eyes may see it."""
    played, team = entry.evaluation, entry.team
    users = () if team is None else tuple(team.users.all())
    mine = any(user.pk == eyes.user_id for user in users)
    may_open = eyes.are_staff or mine or (team is None and eyes.are_enrolled)
    submission = played.submission if eyes.are_staff or mine else None
    won = None if played.wins is None else played.wins.won
    return Standing(
        rank=rank,
        shares_rank=shares_rank,
        alias=played.house_agent if team is None else team.alias,
        names=tuple(user.display_name for user in users) if eyes.see_names else (),
        mine=mine,
        is_house=team is None,
        mean=played.mean or 0.0,
        low=played.low,
        high=played.high,
        standard_error=played.standard_error,
        n_games=played.n_games,
        histogram=tuple((score, games) for score, games in played.histogram),
        won=None if won is None else won.mean,
        won_half_width=None if won is None else won.half_width,
        lost=played.lost or 0,
        faults=played.faults,
        verdict=played.verdict,
        interface=played.interface,
        mode=played.mode,
        tied_with_above=tied_with_above,
        finished_at=played.finished_at or played.requested_at,
        evaluation_uuid=played.uuid if may_open else None,
        submission_number=None if submission is None else submission.number,
        is_outdated=entry.is_outdated,
    )


def _overlap(one: _Entry, other: _Entry) -> bool:
    """Whether the intervals of two neighbours have something in common."""
    ends = (one.evaluation.low, one.evaluation.high, other.evaluation.low, other.evaluation.high)
    low, high, other_low, other_high = ends
    if low is None or high is None or other_low is None or other_high is None:
        return False
    return other_high >= low and high >= other_low


def board_csv(board: Board) -> str:
    """The board for a spreadsheet: the same rows, the same redaction."""
    header = ["Rank", "Alias", *(["Names"] if board.shows_names else [])]
    header += ["Won", "Won ±"] if board.opponents else []
    header += ["Mean", "Standard error", "Low", "High", "Games"]
    header += ["Faults"] if board.game.lost_score is None else ["Lost", "Faults"]
    header += ["Verdict", "Interface", "Mode", "Finished at"]
    return to_csv(header, (_cells(row, board) for row in board.rows))


def _cells(row: Standing, board: Board) -> tuple[Cell, ...]:
    names = (", ".join(row.names),) if board.shows_names else ()
    won = (row.won, row.won_half_width) if board.opponents else ()
    lost = () if board.game.lost_score is None else (row.lost,)
    figures = (row.mean, row.standard_error, row.low, row.high, row.n_games, *lost, row.faults)
    how = (row.verdict, row.interface, row.mode.value)
    return (row.rank, row.alias, *names, *won, *figures, *how, row.finished_at)
