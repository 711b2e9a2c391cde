"""Standings: derived from evaluations each time they are asked for, never stored.

Only this module decides what a viewer may know: pages and CSV get a Leaderboard with nothing else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from grader.core.games import Game
from grader.core.games.outcomes import tally_of
from webapp.base.errors import NotAllowed
from webapp.contests.leaderboards import entries as rows_of
from webapp.contests.leaderboards.entries import BoardEntry, BoardRun
from webapp.contests.leaderboards.permissions import may_see_board
from webapp.contests.leaderboards.values import (
    AtTable,
    BoardStanding,
    HouseLine,
    Leaderboard,
    Provisional,
    Selection,
)
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.gradebook.work import Work
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Membership
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.permissions import Person, viewer_in
from webapp.teaching.courses.releases import held_teams


@dataclass(frozen=True, slots=True, kw_only=True)
class _Viewer:
    user_id: int | None
    team: int | None
    is_enrolled: bool
    is_staff: bool
    sees_names: bool

    @classmethod
    def of(cls, person: Person, assignment: Assignment) -> "_Viewer":
        """Read a viewer's rights. Two queries; none for a visitor."""
        role = viewer_in(person, assignment.course).role
        staff = role in STAFF_ROLES
        return cls(
            user_id=person.pk,
            team=_team_of(person, assignment),
            is_enrolled=role is not None,
            is_staff=staff,
            sees_names=staff or (role is not None and assignment.course.show_names),
        )


def _team_of(person: Person, assignment: Assignment) -> int | None:
    if not isinstance(person, User):
        return None
    mine = Membership.objects.filter(assignment=assignment, user=person)
    return mine.values_list("team", flat=True).first()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """All ranked teams, best first."""

    entries: Sequence[BoardEntry]
    ranks: Mapping[int, int]
    before: Mapping[int, int]
    """Last Sunday's ranks, of the teams that had one."""

    @classmethod
    def of(cls, entries: Iterable[BoardEntry], game: Game) -> "_Ranked":
        ordered = rows_of.best_first(entries, game)
        then = sorted(
            (rows_of.rank_key(game, entry.before), entry.team)
            for entry in ordered
            if entry.before is not None
        )
        now = [(rows_of.rank_key(game, entry.mean), entry.team) for entry in ordered]
        return cls(entries=ordered, ranks=_ranks(now), before=_ranks(then))

    @property
    def newest(self) -> BoardEntry | None:
        return max(self.entries, key=lambda entry: entry.finished_at, default=None)

    def of_team(self, team: int | None) -> BoardEntry | None:
        return next((entry for entry in self.entries if entry.team == team), None)

    def change(self, team: int) -> int | None:
        """Ranks that a team has gained since last Sunday."""
        rank, before = self.ranks.get(team), self.before.get(team)
        return None if rank is None or before is None else before - rank


def _ranks(keys: Sequence[tuple[float, int]]) -> dict[int, int]:
    """Ranks by team, the best first; equal keys share one, and the next is skipped."""
    ranks: dict[int, int] = {}
    rank, last = 0, None
    for number, (key, team) in enumerate(keys, 1):
        if key != last:
            rank, last = number, key
        ranks[team] = rank
    return ranks


def standings(
    assignment: Assignment,
    person: Person,
    *,
    kind: Kind | str = Kind.GRADED,
    selection: Selection | None = None,
    as_students: bool = False,
) -> Leaderboard:
    """Return the leaderboard for this viewer. A fixed number of queries. Raises NotAllowed.

    Graded: the evaluation of each team's grade. Practice: the latest submission's that has one.
    Only staff see held grades, unless ``as_students`` is true.
    """
    if not may_see_board(person, assignment):
        raise NotAllowed("This leaderboard is not published.")
    viewer = _Viewer.of(person, assignment)
    kind, selection = Kind(kind), selection or Selection()
    sees_all = kind != Kind.GRADED or (viewer.is_staff and not as_students)
    held = frozenset() if sees_all else held_teams(assignment)
    shown = [entry for entry in rows_of.entries_of(assignment, kind) if entry.team not in held]
    ranked = _Ranked.of(shown, assignment.rules)
    runs = [run for run in rows_of.runs_under_way(assignment, kind) if run.team not in held]
    entries = _matching([*ranked.entries, *_newcomers(ranked, runs)], selection, viewer, assignment)
    page = _page_of(entries, selection, viewer)
    marked = [entry for entry in _marked(ranked, viewer) if entry not in page.entries]
    rows = _Rows.of(assignment, kind, [*page.entries, *marked], ranked, runs, viewer)
    return _board(rows, page, runs, is_held=bool(held))


def _board(rows: "_Rows", page: "_Page", runs: Sequence[BoardRun], *, is_held: bool) -> Leaderboard:
    assignment, ranked, viewer = rows.assignment, rows.ranked, rows.viewer
    own, newest = ranked.of_team(viewer.team), ranked.newest
    return Leaderboard(
        assignment=assignment,
        kind=rows.kind,
        game=rows.game,
        rows=tuple(rows.standing(entry) for entry in page.entries),
        house=_house_lines(assignment, rows.kind, viewer),
        n_teams=len(ranked.entries),
        n_found=page.n_entries,
        page=page.number,
        n_pages=page.n_pages,
        own=None if own is None else rows.standing(own),
        level_with=_level_with(ranked, own),
        n_close=0 if own is None else sum(_overlap(own, other) for other in ranked.entries) - 1,
        leader=rows.standing(ranked.entries[0]) if ranked.entries else None,
        newest=None if newest is None else rows.standing(newest),
        playing=tuple(AtTable(run.alias, run.games_done, run.n_games) for run in runs),
        n_games=sum(entry.n_games for entry in ranked.entries),
        has_changes=bool(ranked.before),
        is_held=is_held,
        shows_names=viewer.sees_names,
        shows_points=viewer.is_enrolled,
        shows_interfaces=len(assignment.interfaces) > 1,
        updated_at=None if newest is None else newest.finished_at,
    )


@dataclass(frozen=True, slots=True)
class _Newcomer:
    """A team whose first games are being played."""

    team: int
    alias: str
    evaluation: int


_Row = BoardEntry | _Newcomer


def _newcomers(ranked: _Ranked, runs: Iterable[BoardRun]) -> Iterable[_Newcomer]:
    for run in runs:
        if run.team not in ranked.ranks:
            yield _Newcomer(run.team, run.alias, run.evaluation)


def _matching(
    entries: list[_Row], selection: Selection, viewer: _Viewer, assignment: Assignment
) -> list[_Row]:
    text = selection.find.casefold().strip()
    if not text:
        return entries
    named: set[int] = set()
    if viewer.sees_names:
        people = Membership.objects.filter(
            assignment=assignment, user__display_name__icontains=text
        )
        named = set(people.values_list("team", flat=True))
    return [entry for entry in entries if text in entry.alias.casefold() or entry.team in named]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    number: int
    n_pages: int
    n_entries: int
    """Rows on all pages."""
    entries: Sequence[_Row]


def _page_of(entries: Sequence[_Row], selection: Selection, viewer: _Viewer) -> _Page:
    size = selection.size or max(len(entries), 1)
    n_pages = max(1, -(-len(entries) // size))
    number = max(1, min(selection.page, n_pages))
    first = (number - 1) * size
    own = next((at for at, entry in enumerate(entries) if entry.team == viewer.team), None)
    if selection.around and own is not None:
        number, first = own // size + 1, max(0, min(own - size // 2, len(entries) - size))
    shown = entries[first : first + size]
    return _Page(number=number, n_pages=n_pages, n_entries=len(entries), entries=shown)


def _marked(ranked: _Ranked, viewer: _Viewer) -> list[BoardEntry]:
    marked = [ranked.of_team(viewer.team), *ranked.entries[:1], ranked.newest]
    return [entry for entry in marked if entry is not None]


def _level_with(ranked: _Ranked, own: BoardEntry | None) -> tuple[str, ...]:
    if own is None:
        return ()
    rank = ranked.ranks[own.team]
    others = (entry for entry in ranked.entries if entry.team != own.team)
    return tuple(entry.alias for entry in others if ranked.ranks[entry.team] == rank)


def _overlap(one: BoardEntry, other: BoardEntry) -> bool:
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return one is other
    return other.high >= one.low and one.high >= other.low


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    kind: Kind
    game: Game
    assignment: Assignment
    ranked: _Ranked
    viewer: _Viewer
    shared: frozenset[int]
    """Ranks that several teams have."""
    work: Work
    details: Mapping[int, Evaluation]
    histories: Mapping[int, tuple[float, ...]]
    playing: Mapping[int, Provisional]

    @classmethod
    def of(
        cls,
        assignment: Assignment,
        kind: Kind,
        shown: Sequence[_Row],
        ranked: _Ranked,
        runs: Iterable[BoardRun],
        viewer: _Viewer,
    ) -> "_Rows":
        """Four or five queries."""
        teams = [entry.team for entry in shown]
        return cls(
            kind=kind,
            game=assignment.rules,
            assignment=assignment,
            ranked=ranked,
            viewer=viewer,
            shared=_repeated(list(ranked.ranks.values())),
            work=Work([assignment], teams=teams),
            details=rows_of.details([entry.evaluation for entry in shown]),
            histories=rows_of.histories(teams),
            playing=rows_of.provisional(
                (run for run in runs if run.team in teams), assignment.rules.unit
            ),
        )

    def standing(self, entry: _Row) -> BoardStanding:
        played, team = self.details[entry.evaluation], entry.team
        mine = team == self.viewer.team
        may_open = self.viewer.is_staff or mine
        rank = self.ranked.ranks.get(team)
        number = None if played.submission is None else played.submission.number
        figures = _figures(played, self.game)
        if not isinstance(entry, BoardEntry):
            unknown = dict.fromkeys(("mean", "low", "high", "standard_error", "finished_at"))
            figures |= unknown | {"n_games": played.games_done}
        return BoardStanding(
            **figures,
            rank=rank,
            shares_rank=rank in self.shared,
            change=self.ranked.change(team),
            team=team,
            alias=entry.alias,
            names=self._names(team),
            mine=mine,
            points=self._points(entry, played),
            evaluation_uuid=played.uuid if may_open else None,
            submission_number=number if may_open else None,
            is_outdated=self._counted(team, number) != number,
            history=self.histories.get(team, ()),
            playing=self.playing.get(team),
        )

    def _names(self, team: int) -> tuple[str, ...]:
        if not self.viewer.sees_names:
            return ()
        return tuple(user.display_name for user in self.work.members.get(team, ()))

    def _counted(self, team: int, graded: int | None) -> int | None:
        """Return the number of the submission that counts, or the graded one's if none does."""
        if self.kind != Kind.GRADED:
            return graded
        counted = self.work.resolutions[team].counted
        return graded if counted is None else counted.number

    def _points(self, entry: _Row, played: Evaluation) -> Decimal | None:
        """The grade's points; for practice, those of the same figures."""
        if not self.viewer.is_enrolled or played.mean is None or not isinstance(entry, BoardEntry):
            return None
        if self.kind == Kind.GRADED:
            return entry.points
        wins = played.wins
        return self.assignment.scheme.points(played.mean, {} if wins is None else wins.shares)


def _repeated(ranks: Sequence[int]) -> frozenset[int]:
    return frozenset(rank for rank, after in pairwise(ranks) if rank == after)


def _house_lines(assignment: Assignment, kind: Kind, viewer: _Viewer) -> tuple[HouseLine, ...]:
    runs = rows_of.house_runs(assignment, kind).defer("turn_ms")
    game = assignment.rules
    lines = [_house_line(run, game, viewer) for run in runs]
    return tuple(sorted(lines, key=lambda line: (rows_of.rank_key(game, line.mean), line.alias)))


def _house_line(run: Evaluation, game: Game, viewer: _Viewer) -> HouseLine:
    uuid = run.uuid if viewer.is_enrolled else None
    return HouseLine(**_figures(run, game), alias=run.house_agent, evaluation_uuid=uuid)


def _figures(run: Evaluation, game: Game) -> dict[str, Any]:
    """Return what everybody who sees the board may know of an evaluation."""
    names = ("mean", "low", "high", "standard_error", "n_games", "faults", "verdict", "interface")
    won = None if run.wins is None else run.wins.won
    return {
        **{name: getattr(run, name) for name in (*names, "mode", "finished_at")},
        "won": None if won is None else won.mean,
        "won_half_width": None if won is None else won.half_width,
        "lost": run.lost or 0,
        "tally": tally_of(game, run.histogram),
    }
