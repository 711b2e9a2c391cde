"""Reads the rows that decide due dates, penalties and counted uploads of assignments."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import OuterRef, Q, QuerySet, Subquery

from grader.core.games import Game
from webapp.teaching.courses.deadlines import Candidate, DeadlineRule, Terms
from webapp.teaching.courses.models import (
    Assignment,
    Enrolment,
    Extension,
    Role,
    SectionDates,
    Team,
)

_READY: Final = "ready"
"""The status of submissions that may count, which an upper layer declares."""
_NONE: Final[frozenset[int]] = frozenset()
_OF_UPLOAD: Final = ("pk", "submissions__pk", "submissions__number", "submissions__uploaded_at")
_Upload = tuple[int, int, int, datetime]


@dataclass(slots=True, kw_only=True)
class TeamRow:
    """A team with the keys of its members."""

    pk: int
    assignment_id: int
    extended_due_at: datetime | None
    members: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursePlace:
    """A student's enrolment."""

    name: str
    section_ids: tuple[int, ...]
    time_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """All rows that decide, by their keys."""

    assignments: Sequence[Assignment]
    teams: Mapping[int, Sequence[TeamRow]]
    """By assignment."""
    places: Mapping[tuple[int, int], CoursePlace]
    """By course and user."""
    sections: Mapping[tuple[int, int], Terms]
    """By assignment and section."""
    extensions: Mapping[tuple[int, int], datetime | None]
    """By assignment and user."""
    uploads: Mapping[int, Sequence[Candidate]]
    """By team, those of which one may count."""
    chosen: Mapping[int, int]
    """By team."""


def read_rows(
    wanted: Sequence[Assignment],
    users: set[int] | None,
    keys: frozenset[int],
) -> Rows:
    """Read the rows of these assignments, for these users and teams (``keys``), or for all.

    At most eight queries.
    """
    assignments = _with_rivals(wanted)
    if users is None:
        teams, people = _teams(assignments), None
    elif any(assignment.course.late_days for assignment in wanted):
        teams, people = _connected(_teams(assignments), users, keys)
    else:
        teams = _teams(assignments, users=users, keys=keys)
        people = users.union(*(row.members for row in teams))
    places = _places(assignments, people)
    sections = _sections(assignments, places)
    return Rows(
        assignments=assignments,
        teams=_by_assignment(teams),
        places=places,
        sections=sections,
        extensions=_extensions(assignments, people),
        uploads=_uploads(assignments, sections, None if people is None else teams),
        chosen=_chosen(assignments),
    )


def _with_rivals(wanted: Sequence[Assignment]) -> list[Assignment]:
    """These assignments, and those of their courses that late days may be used for as well."""
    courses = {assignment.course_id for assignment in wanted if assignment.course.late_days}
    rivals: list[Assignment] = []
    if courses:
        allows = Q(max_late_days__gt=0) | Q(section_dates__max_late_days__gt=0)
        allowing = Assignment.objects.filter(allows, course__in=courses)
        rivals = list(allowing.select_related("course").distinct())
    known = {assignment.pk for assignment in wanted}
    return [*wanted, *(rival for rival in rivals if rival.pk not in known)]


def _teams(
    assignments: Sequence[Assignment],
    *,
    users: set[int] | None = None,
    keys: frozenset[int] = _NONE,
) -> list[TeamRow]:
    """Teams with their members; of these users only, and these, if they are given."""
    teams = Team.objects.filter(assignment__in=assignments)
    if users is not None:
        teams = teams.filter(Q(pk__in=keys) | _has_member(users))
    names = ("pk", "assignment_id", "extended_due_at", "memberships__user_id")
    rows: dict[int, TeamRow] = {}
    for pk, of, extended, member in teams.order_by("memberships__pk").values_list(*names):
        row = rows.setdefault(pk, TeamRow(pk=pk, assignment_id=of, extended_due_at=extended))
        if member is not None:
            row.members.append(member)
    return list(rows.values())


def _has_member(users: set[int]) -> Q:
    """The teams of these users. Their other members are read all the same."""
    return Q(pk__in=Team.objects.filter(memberships__user__in=users)) if users else Q(pk__in=[])


def _connected(
    teams: Sequence[TeamRow], users: set[int], keys: frozenset[int]
) -> tuple[list[TeamRow], set[int]]:
    """Return teams and people whose late days affect each other: partners, their partners, and so
    on."""
    people = users.union(*(row.members for row in teams if row.pk in keys))
    size = -1
    while size != len(people):
        size = len(people)
        people = people.union(*(row.members for row in teams if people.intersection(row.members)))
    connected = [row for row in teams if row.pk in keys or people.intersection(row.members)]
    return connected, people


def _by_assignment(teams: Iterable[TeamRow]) -> dict[int, list[TeamRow]]:
    grouped: dict[int, list[TeamRow]] = defaultdict(list)
    for row in teams:
        grouped[row.assignment_id].append(row)
    return grouped


def _places(
    assignments: Iterable[Assignment], people: set[int] | None
) -> dict[tuple[int, int], CoursePlace]:
    """Enrolments of these people as students; of all students where everybody is asked for."""
    courses = {assignment.course_id for assignment in assignments}
    enrolments = Enrolment.objects.filter(course__in=courses, role=Role.STUDENT)
    if people is not None:
        enrolments = enrolments.filter(user__in=people)
    names = ("course_id", "user_id", "user__display_name", "time_percent", "section_id")
    places: dict[tuple[int, int], CoursePlace] = {}
    rows = enrolments.order_by("pk").values_list(*names, "more_sections")
    for course, user, name, percent, *sections in rows:  # a row for each further section
        known = places.get((course, user))
        ids = (*(known.section_ids if known else ()), *(pk for pk in sections if pk is not None))
        places[course, user] = CoursePlace(
            name=name, section_ids=tuple(dict.fromkeys(ids)), time_percent=percent
        )
    return places


def _sections(
    assignments: Iterable[Assignment], places: Mapping[tuple[int, int], CoursePlace]
) -> dict[tuple[int, int], Terms]:
    if not any(enrolment.section_ids for enrolment in places.values()):
        return {}
    dates = SectionDates.objects.filter(assignment__in=assignments)
    return {
        (section_dates.assignment_id, section_dates.section_id): section_dates.terms()
        for section_dates in dates.select_related("assignment__course", "section")
    }


def _extensions(
    assignments: Iterable[Assignment], people: set[int] | None
) -> dict[tuple[int, int], datetime | None]:
    """The latest decision about each student, in the order of their keys: clocks may be wrong."""
    extensions = Extension.objects.filter(assignment__in=assignments, user__isnull=False)
    if people is not None:
        extensions = extensions.filter(user__in=people)
    rows = extensions.order_by("pk").values_list("assignment_id", "user_id", "due_at")
    return {(assignment, user): due for assignment, user, due in rows if user is not None}


def _uploads(
    assignments: Sequence[Assignment],
    sections: Mapping[tuple[int, int], Terms],
    teams: Iterable[TeamRow] | None,
) -> dict[int, list[Candidate]]:
    """Accepted uploads of these teams; of all of the assignments where none are given."""
    if teams is None:
        of_all = [_candidates(assignment, sections) for assignment in assignments]
        first, *more = (rows for of_one in of_all for rows in of_one)
        rows = first.union(*more, all=True) if more else first
    else:
        ready = Team.objects.filter(assignment__in=assignments, submissions__status=_READY)
        rows = ready.filter(pk__in=[row.pk for row in teams]).values_list(*_OF_UPLOAD)
    practice = _practice(assignments)
    uploads: dict[int, list[Candidate]] = defaultdict(list)
    for team, pk, number, at in rows:
        mean = practice.get(pk)
        uploads[team].append(Candidate(pk=pk, number=number, uploaded_at=at, practice=mean))
    return uploads


def _candidates(
    assignment: Assignment, sections: Mapping[tuple[int, int], Terms]
) -> list[QuerySet[Team, _Upload]]:
    """Return team, key, number and time of all uploads of an assignment of which one may count.

    Where the latest counts, one that is early enough for everybody rules out all before it. With
    ten uploads a team, reading the other nine would take most of the time.
    """
    teams = Team.objects.filter(assignment=assignment).order_by()
    if assignment.counts != DeadlineRule.LATEST:
        return [teams.filter(submissions__status=_READY).values_list(*_OF_UPLOAD)]
    sure = _in_time_for_all(assignment, sections)
    # Each in one call: a second one would be about any other upload of the team.
    in_time = Q(submissions__status=_READY, submissions__uploaded_at__lte=sure)
    own = teams.filter(in_time, pk=OuterRef("pk")).order_by("-submissions__number")
    latest = own.values("submissions__pk")[:1]
    later = teams.filter(submissions__status=_READY, submissions__uploaded_at__gt=sure)
    of_latest = teams.filter(submissions__pk=Subquery(latest))
    return [of_latest.values_list(*_OF_UPLOAD), later.values_list(*_OF_UPLOAD)]


def _in_time_for_all(assignment: Assignment, sections: Mapping[tuple[int, int], Terms]) -> datetime:
    """Return a moment before which no time for uploads ends: all but sections can only add."""
    ends = [terms.due_at for (of, _), terms in sections.items() if of == assignment.pk]
    if assignment.secret_revealed_at is not None:
        ends.append(assignment.secret_revealed_at)
    return min([assignment.due_at, *ends])


def _practice(assignments: Iterable[Assignment]) -> dict[int, float]:
    """By submission its mean in practice, above the game's worst score, if means decide."""
    games = {
        assignment.pk: assignment.rules
        for assignment in assignments
        if DeadlineRule(assignment.counts).is_by_practice
    }
    if not games:
        return {}
    means = Assignment.objects.filter(
        pk__in=games,
        evaluations__kind="practice",
        evaluations__is_current=True,
        evaluations__submission__isnull=False,
    )
    rows = means.values_list("pk", "evaluations__submission_id", "evaluations__mean")
    return {of: _above_worst(games[pk], mean) for pk, of, mean in rows if mean is not None}


def _above_worst(game: Game, mean: float) -> float:
    low, high = game.score_range
    return high - mean if game.lower_is_better else mean - low


def _chosen(assignments: Iterable[Assignment]) -> dict[int, int]:
    """By team the submission that it chose last, where teams choose."""
    asking = [assignment for assignment in assignments if assignment.counts == DeadlineRule.CHOICE]
    if not asking:
        return {}
    chosen = Team.objects.filter(assignment__in=asking, choices__isnull=False)
    return dict(chosen.order_by("choices__pk").values_list("pk", "choices__submission_id"))
