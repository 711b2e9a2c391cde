"""The standings of a ladder as one viewer may see them, and the state it is in."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from django.db.models import Q, QuerySet

from grader.ladder import Contender, settled
from grader.tournament import Figure, Standing
from webapp.contests.ladders.models import Departure, Ladder, LadderEntry, LadderGame
from webapp.contests.ladders.services.scheduling import is_outdated
from webapp.contests.tables.contests import RankedEntry
from webapp.contests.tables.games import SeatedGameQuerySet
from webapp.teaching.courses.models import Assignment, Membership
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.permissions import Person, viewer_in

MAX_LEFT: Final = 20
"""The latest agents that have left and are listed."""


class LadderState(StrEnum):
    """The reason why a ladder plays, or does not."""

    PLAYING = "playing"
    """Tables are being played, or wait for a grader."""
    RESTING = "resting"
    """Every rating is known well enough."""
    TOO_FEW = "too few"
    """Its agents do not fill a table."""
    OUTDATED = "outdated"
    """The assignment's rules or limits have changed."""
    PAUSED = "paused"
    """By staff, or by the site after a failure."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRow(RankedEntry[LadderEntry]):
    """An entry of a ladder and its standing; house agents have no rank."""

    is_settled: bool
    submission: int | None
    """The submission's key, for a link; ``None`` unless the viewer may open it."""

    @property
    def figure(self) -> Figure | None:
        return None if self.standing is None else self.standing.adjusted

    @property
    def note(self) -> str:
        return f"version {self.entry.version}" if self.entry.version else "house agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderBoard:
    """A ladder for one viewer."""

    ladder: Ladder
    state: LadderState
    rows: tuple[LadderRow, ...]
    """The agents that play, best rating first."""
    left: tuple[LadderRow, ...]
    """The latest agents that have left, and the viewer's own; latest first."""
    n_left: int
    """All agents that have left."""
    is_staff: bool

    @property
    def own_departures(self) -> tuple[LadderRow, ...]:
        return tuple(row for row in self.left if row.mine and row.entry.needs_word)

    @property
    def n_unlisted(self) -> int:
        """Agents that have left and are not in ``left``."""
        return self.n_left - len(self.left)

    @property
    def n_settled(self) -> int:
        return sum(row.is_settled for row in self.rows)


def ladder_of(assignment: Assignment) -> Ladder | None:
    """Return the assignment's ladder: the open one, or else the latest. One query."""
    rows = Ladder.objects.filter(assignment=assignment).select_related("assignment__course")
    return rows.order_by("-pk").first()


def state_of(ladder: Ladder) -> LadderState:
    """Return the state. Two queries at most."""
    if not ladder.is_open:
        return LadderState.CLOSED
    if ladder.paused_at is not None:
        return LadderState.PAUSED
    if is_outdated(ladder):
        return LadderState.OUTDATED
    if ladder.jobs.open().exists():
        return LadderState.PLAYING
    teams = ladder.entries.active().order_by().values("name").distinct()
    few = teams.count() < ladder.seats  # versions of a team do not share a table
    return LadderState.TOO_FEW if few else LadderState.RESTING


def fingerprint(ladder: Ladder) -> tuple[object, ...]:
    """Return what tells whether the page of a ladder has changed. Three queries at most."""
    entries = ladder.entries.values_list("number", "departure")
    return ladder.pk, ladder.summed_up_at, ladder.n_games, state_of(ladder), tuple(entries)


def board(ladder: Ladder, viewer: Person) -> LadderBoard:
    """Return the standings for this viewer. A fixed number of queries."""
    course = ladder.assignment.course
    role = viewer_in(viewer, course).role
    staff = role in STAFF_ROLES
    sees_names = staff or (role is not None and course.show_names)
    latest = ladder.standings
    standings = {row.participant: row for row in latest.rows} if latest else {}
    gone = ladder.entries.exclude(departure=Departure.NONE)
    entries = ladder.entries.filter(_listed(gone, viewer)).select_related("submission__team")
    entries = entries.prefetch_related("submission__team__users")
    rows = [
        _row(entry, ladder, viewer, standings.get(entry.number), staff=staff, sees_names=sees_names)
        for entry in entries
    ]
    sign = 1 if ladder.rules.lower_is_better else -1
    playing = [row for row in rows if row.entry.plays]
    playing.sort(key=lambda row: (*_by_rating(row, sign), row.entry.number))
    left = [row for row in rows if not row.entry.plays]
    left.sort(key=lambda row: row.entry.left_at or ladder.opened_at, reverse=True)
    return LadderBoard(
        ladder=ladder,
        state=state_of(ladder),
        rows=tuple(playing),
        left=tuple(left),
        n_left=gone.count(),
        is_staff=staff,
    )


def _listed(gone: QuerySet[LadderEntry], viewer: Person) -> Q:
    """Return the condition of entries that are shown: over a term most have left."""
    own = Membership.objects.filter(user=viewer.pk).values("team")
    latest = gone.order_by("-left_at", "-pk").values("pk")[:MAX_LEFT]
    return Q(departure=Departure.NONE) | Q(pk__in=latest) | Q(submission__team__in=own)


def _by_rating(row: LadderRow, sign: int) -> tuple[bool, float]:
    return row.figure is None, 0 if row.figure is None else sign * row.figure.value


def _row(
    entry: LadderEntry,
    ladder: Ladder,
    viewer: Person,
    standing: Standing | None,
    *,
    staff: bool,
    sees_names: bool,
) -> LadderRow:
    adjusted = None if standing is None else standing.adjusted
    contender = Contender(
        number=entry.number,
        games=0 if standing is None else standing.games,
        half_width=None if adjusted is None else adjusted.half_width,
    )
    row = LadderRow.of(
        entry,
        viewer,
        sees_names=sees_names,
        standing=standing,
        rank=None if standing is None else standing.adjusted_rank,
        is_settled=settled(contender, ladder.goal),
        submission=None,
    )
    return replace(row, submission=entry.submission_id) if row.mine or staff else row


def games_of(ladder: Ladder) -> SeatedGameQuerySet[LadderGame]:
    """Return the games of finished rounds, the latest first. One query more.

    Deals of finished rounds are never dealt again, so nobody gains by having seen their games.
    """
    tables = ladder.tables.all()
    if ladder.is_open:
        newest = tables.order_by("-number").first()
        tables = tables.filter(round__lt=0 if newest is None else newest.round)
    return ladder.games.filter(table__in=tables.values("number")).order_by("-index")


def neighbours(ladder: Ladder, game: LadderGame) -> tuple[int | None, int | None]:
    """Return the indices of the games before and after one. Two queries more."""
    indices = games_of(ladder).values_list("index", flat=True)
    before = indices.filter(index__lt=game.index).first()
    return before, indices.filter(index__gt=game.index).order_by("index").first()


def is_own_fault(game: LadderGame, user_key: int | None) -> bool:
    """Return whether an agent of this user's team spoiled the game. One query at most."""
    if game.culprit is None or user_key is None:
        return False
    own = LadderEntry.objects.filter(ladder=game.ladder, number=game.culprit)
    return own.filter(submission__team__memberships__user=user_key).exists()
