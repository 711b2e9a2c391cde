"""A leaderboard as one viewer may see it: rows, and the figures drawn beside them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from grader.core.games import Game
from grader.core.games.outcomes import Tally, counts_wins
from grader.core.records import Mode
from webapp.grading.evaluations.models import Kind
from webapp.teaching.courses.models import Assignment

MEAN_DIGITS: Final = 2
"""Digits to which means are shown and ranked: means that look equal share a rank."""

PAGE_SIZE: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The part of a board that is asked for."""

    page: int = 1
    find: str = ""
    """A part of the alias, in any case; of a real name too for a viewer who sees names."""
    around: bool = False
    """The viewer's own row in the middle of a page."""
    size: int = PAGE_SIZE


EVERYTHING: Final = Selection(size=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provisional:
    """The games so far of an evaluation that is being played. Nothing depends on them yet."""

    games_done: int
    n_games: int
    mean: float | None
    low: float | None
    high: float | None

    @property
    def percent(self) -> int:
        """Share of the games that are in."""
        return self.games_done * 100 // self.n_games


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """The figures of one agent's evaluation."""

    mean: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    n_games: int
    won: float | None
    """Share of the games that were won; ``None`` if there were no opponents."""
    won_half_width: float | None
    lost: int
    tally: Tally | None
    """Games won, drawn and lost; ``None`` in games for points."""
    faults: int
    verdict: str
    interface: str
    mode: Mode
    finished_at: datetime | None
    evaluation_uuid: UUID | None
    """For a link; ``None`` unless the viewer may open it."""

    @property
    def half_width(self) -> float | None:
        """The ± of the mean's 95% interval."""
        return None if self.high is None or self.mean is None else self.high - self.mean


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStanding(BoardLine):
    """One row, with only what its viewer may know."""

    rank: int | None
    """``None`` while the team's first games are played."""
    shares_rank: bool
    change: int | None
    """Ranks gained since last Sunday; ``None`` for a team that had none then."""
    team: int
    """The team's key, for a row that moves."""
    alias: str
    names: tuple[str, ...]
    """Real names; empty unless the viewer may see them."""
    mine: bool
    points: Decimal | None
    """The grade's, or a forecast from practice; ``None`` for visitors."""
    submission_number: int | None
    """``None`` unless it is the viewer's own, or the viewer is staff."""
    is_outdated: bool
    """The team has a later submission that counts and has not been evaluated so yet."""
    history: tuple[float, ...]
    """Practice means of its last submissions, the newest last."""
    playing: Provisional | None

    @property
    def fell(self) -> int:
        return max(0, -(self.change or 0))

    @property
    def is_team_played(self) -> bool:
        return self.mode is Mode.TEAM


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseLine(BoardLine):
    """A house agent on the same deals, to compare with."""

    alias: str
    mean: float

    @property
    def rank(self) -> None:
        """None: house agents have no rank."""

    @property
    def points(self) -> None:
        """None: house agents have no points."""

    @property
    def names(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class AtTable:
    """A team whose games are being played."""

    alias: str
    games_done: int
    n_games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """A leaderboard, or a page of it, as one viewer may see it."""

    assignment: Assignment
    kind: Kind
    game: Game
    rows: tuple[BoardStanding, ...]
    """Best first; those whose first games are being played last."""
    house: tuple[HouseLine, ...]
    n_teams: int
    """Ranked teams, on all pages."""
    n_found: int
    """Rows that match the query, on all pages."""
    page: int
    n_pages: int
    own: BoardStanding | None
    """The viewer's row, which may be on another page."""
    level_with: tuple[str, ...]
    n_close: int
    """Other teams whose intervals overlap the viewer's."""
    leader: BoardStanding | None
    newest: BoardStanding | None
    playing: tuple[AtTable, ...]
    n_games: int
    has_changes: bool
    """True if some team had a rank last Sunday."""
    is_held: bool
    """True if some teams are left out because their grades are not released."""
    shows_names: bool
    shows_points: bool
    shows_interfaces: bool
    updated_at: datetime | None

    @property
    def n_playing(self) -> int:
        return len(self.playing)

    @property
    def has_team_mode(self) -> bool:
        return any(row.is_team_played for row in self.rows)

    @property
    def counts_wins(self) -> bool:
        return counts_wins(self.game)

    @property
    def opponents(self) -> tuple[str, ...]:
        return tuple(self.assignment.opponents)
