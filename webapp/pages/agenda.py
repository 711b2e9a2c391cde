"""A student's next steps: assignments by deadline, versions so far, neighbours on a board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone
from django.utils.safestring import SafeString

from grader.core.words import counted
from webapp.contests.leaderboards.permissions import may_see_board
from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.values import Board, Selection
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.grading.evaluations.models import Kind, Status
from webapp.pages.courses.overview import AssignmentCard, CourseCard
from webapp.pages.intervals import Interval
from webapp.pages.versions import full_from, practice_means, versions_chart
from webapp.people.accounts.models import User
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.models import Assignment

NEIGHBOURS: Final = 4
VERSIONS: Final = 8
SOON: Final = timedelta(days=7)
NEWS: Final = 3
RECENT: Final = timedelta(days=14)
"""The age up to which announcements and ended tournaments are news."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """The front page of a student."""

    sentence: str
    due: tuple[AssignmentCard, ...]
    """Still open, the next deadline first."""
    over: tuple[AssignmentCard, ...]
    """The last one first."""
    chart: SafeString
    """Versions of the first open assignment's agent; empty if there are none."""
    around: Board | None
    """The neighbours on the first board that the student stands on."""
    announcements: tuple[Announcement, ...]
    """Recent ones, the newest first."""
    tournaments: tuple[Tournament, ...]
    """Tournaments under way, and recent ones whose results are released; the newest first."""


def agenda_of(user: User, courses: Sequence[CourseCard]) -> Agenda | None:
    """Return the due dates in the courses that the user takes; ``None`` without any.

    One query for the versions, two for news, and those of two boards at most.
    """
    taken = [
        card for course in courses if not course.viewer.is_staff for card in course.assignments
    ]
    if not any(not course.viewer.is_staff for course in courses):
        return None
    now = timezone.now()
    due = sorted(
        (card for card in taken if card.deadline.ends_at >= now), key=lambda card: card.due_at
    )
    over = sorted(
        (card for card in taken if card.deadline.ends_at < now), key=lambda card: card.due_at
    )
    team = due[0].team if due else None
    versions = {} if team is None else practice_means(team, limit=VERSIONS)
    return Agenda(
        sentence=_sentence(due),
        due=tuple(due),
        over=tuple(reversed(over)),
        chart=_chart(versions, due[0].assignment) if due else SafeString(),
        around=_around(user, [*due, *reversed(over)]),
        announcements=_announcements(courses),
        tournaments=_tournaments(user, courses),
    )


def _chart(versions: Mapping[int, Interval], assignment: Assignment) -> SafeString:
    shown = assignment.scheme.mean_in_words
    return versions_chart(versions, full_from=full_from(assignment), shown=shown)


def _announcements(courses: Sequence[CourseCard]) -> tuple[Announcement, ...]:
    recent = Announcement.objects.filter(
        course__in=[card.viewer.course for card in courses if not card.viewer.is_staff],
        posted_at__gte=timezone.now() - RECENT,
    )
    return tuple(recent.select_related("course", "posted_by")[:NEWS])


def _tournaments(user: User, courses: Sequence[CourseCard]) -> tuple[Tournament, ...]:
    taken = [card.viewer.course for card in courses if not card.viewer.is_staff]
    shown = Tournament.objects.visible_to(user).filter(
        Q(status__in=(Status.QUEUED, Status.PLAYING))
        | Q(stage=Stage.RESULTS, finished_at__gte=timezone.now() - RECENT),
        assignment__course__in=taken,
    )
    return tuple(shown.select_related("assignment__course").distinct()[:NEWS])


def _sentence(due: Sequence[AssignmentCard]) -> str:
    if not due:
        return "Nothing is due."
    soon = sum(card.due_at <= timezone.now() + SOON for card in due)
    to_start = sum(card.latest is None for card in due)
    parts = [f"{counted(soon, 'deadline')} this week" if soon else "No deadline this week"]
    if to_start:
        parts.append(f"{counted(to_start, 'assignment')} to start")
    return ". ".join(parts) + "."


def _around(user: User, cards: Sequence[AssignmentCard]) -> Board | None:
    """The viewer's neighbours, by graded games or, before there are any, by practice."""
    for card in cards:
        if card.latest is not None and may_see_board(user, card.assignment):
            return _neighbours(user, card)
    return None


def _neighbours(user: User, card: AssignmentCard) -> Board | None:
    kind = Kind.PRACTICE if card.grade is None else Kind.GRADED
    selection = Selection(around=True, size=NEIGHBOURS)
    board = standings(card.assignment, user, kind=kind, selection=selection)
    return None if board.own is None else board
