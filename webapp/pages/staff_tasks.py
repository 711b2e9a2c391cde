"""Tasks that wait for the staff of a course, by assignment, each with the link that does it.

Counts only, in a fixed number of queries for any number of assignments, teams and people. A task is
shown only to people whose role allows it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Final

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from grader.core.words import counted
from webapp.flow.lti.models import Score
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.gradebook.faults import FAULTY_SHARE, IS_FAULTY
from webapp.grading.gradebook.models import Grade, Outcome, RegradeRequest
from webapp.grading.gradebook.students import with_upload
from webapp.grading.gradebook.work import Need, TeamWork
from webapp.grading.jobs.runs import OPEN
from webapp.grading.operations.models import Grader
from webapp.grading.similarity.models import Comparison, SimilarPair
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.pages.review import button_of, reasons_of, rows_in_words
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.lateness import days_later
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Role, Team
from webapp.teaching.courses.permissions import Person, Viewer
from webapp.teaching.courses.releases import released_teams
from webapp.teaching.courses.rights import Right

SOON: Final = timedelta(days=3)
"""Time before a due date from which teams without uploads are listed."""
LATELY: Final = timedelta(days=7)
"""Time after it for which they are listed, and faults in grades that students see immediately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One thing to do."""

    title: str
    words: str
    button: str
    address: str
    assignment: Assignment | None = None
    """``None``: of the site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Numbers by assignment."""

    students: int
    asked: Counter[int] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)
    under_way: Counter[int] = field(default_factory=Counter)
    """Graded evaluations that are queued or played."""
    graded: Counter[int] = field(default_factory=Counter)
    """Teams with a grade."""
    faulty: Counter[int] = field(default_factory=Counter)
    hidden: Counter[int] = field(default_factory=Counter)
    """Teams with a grade that its members do not see."""
    ready: Counter[int] = field(default_factory=Counter)
    """Teams with an accepted upload."""
    uploaders: Counter[int] = field(default_factory=Counter)
    """Students of a team that has uploaded something."""
    unread: Counter[int] = field(default_factory=Counter)
    """Similar pairs of the latest comparison, if none has been opened."""
    unsent: Counter[int] = field(default_factory=Counter)


def closed_at(assignment: Assignment) -> datetime:
    """Return the last moment of an upload that counts, but for what single people were granted."""
    zone = assignment.terms().calendar
    free_until = days_later(assignment.due_at, assignment.max_late_days, zone)
    return free_until + assignment.late_policy.grace


def tasks_of(
    viewer: Viewer,
    assignments: Sequence[Assignment],
    *,
    counts: Counts | None = None,
    to_check: Sequence[TeamWork] | None = None,
    at: datetime | None = None,
) -> list[Task]:
    """Return what waits for this person, by due date. Thirteen queries at most.

    ``counts``: of these assignments, if they are known. ``to_check``: the rows to look at of the
    one assignment; where they are not known, teams with many faults stand for them.
    """
    course = viewer.course
    if course.archived_at is not None or not viewer.rights - {Right.ROSTER}:
        return []
    now = at or timezone.now()
    tasks = list(_of_graders(viewer.user, now))
    if assignments:
        counts = counts or counts_of(course, assignments, now)
        for assignment in sorted(assignments, key=attrgetter("due_at", "pk")):
            tasks += _AssignmentTasks(assignment, counts, viewer, now, to_check).tasks()
    return tasks


@dataclass(frozen=True, slots=True)
class _AssignmentTasks:
    """Makes tasks from the counts of one assignment, in the order of its week."""

    assignment: Assignment
    counts: Counts
    viewer: Viewer
    now: datetime
    to_check: Sequence[TeamWork] | None

    def tasks(self) -> Iterator[Task]:
        """Yield what the viewer can do."""
        rights = self.viewer.rights
        if Right.GRADE in rights:
            yield from self._failed()
            yield from self._nothing_uploaded()
            yield from self._to_grade()
            yield from self._faulty() if self.to_check is None else self._unchecked(self.to_check)
        if Right.INTEGRITY in rights:
            yield from self._similar()
        if self.viewer.is_instructor:
            yield from self._to_release()
        if Right.GRADE in rights:
            yield from self._asked()
        if self.viewer.is_instructor:
            yield from self._unsent()

    def _task(self, title: str, words: str, button: str, view: str, rest: str = "") -> Task:
        slugs = [self.assignment.course.slug, self.assignment.slug]
        return Task(
            title=title,
            words=words,
            button=button,
            address=reverse(view, args=slugs) + rest,
            assignment=self.assignment,
        )

    def _of(self, counts: Counter[int]) -> int:
        return counts[self.assignment.pk]

    def _failed(self) -> Iterator[Task]:
        if number := self._of(self.counts.failed):
            yield self._task(
                f"Decide about {counted(number, 'failed evaluation')}",
                "Our machines failed. Students are waiting. This does not count against them.",
                "See what failed",
                "evaluations:staff",
                "#failed",
            )

    def _nothing_uploaded(self) -> Iterator[Task]:
        due = self.assignment.due_at
        number = self.counts.students - self._of(self.counts.uploaders)
        if not due - SOON <= self.now <= due + LATELY or number <= 0:
            return
        if self.to_check is not None and self.now > closed_at(self.assignment):
            return  # they are among the rows to check
        whose = f"{number} of {counted(self.counts.students, 'student')}"
        if self.now < due:
            title = f"{whose} {_has(number)} uploaded nothing yet"
            words = "The site reminds them by e-mail a day before. You can do so now."
        else:
            title = f"{whose} {_has(number)} uploaded nothing"
            words = "The deadline has passed; some may have more time."
        rest = f"?show={Need.NO_UPLOAD}#teams"
        yield self._task(title, words, "Show them", "evaluations:staff", rest)

    def _to_grade(self) -> Iterator[Task]:
        number = self._of(self.counts.ready) - self._of(self.counts.graded)
        if self.now <= closed_at(self.assignment) or self._waits or number <= 0:
            return
        yield self._task(
            f"Grade {counted(number, 'team')}",
            f"Uploads are closed. {self._of(self.counts.graded)} of"
            f" {counted(self._of(self.counts.ready), 'team')} with an accepted upload"
            f" {'is' if self._of(self.counts.graded) == 1 else 'are'} graded.",
            "Grade all teams…",
            "evaluations:confirm",
        )

    def _faulty(self) -> Iterator[Task]:
        if number := self._of(self.counts.faulty):
            yield self._task(
                f"Look at {counted(number, 'team')} with many faults",
                f"One graded game in {FAULTY_SHARE} or more ended with a fault of the agent.",
                "Show them",
                "evaluations:staff",
                "?show=faults#teams",
            )

    def _unchecked(self, rows: Sequence[TeamWork]) -> Iterator[Task]:
        hidden, graded, ready = map(
            self._of, (self.counts.hidden, self.counts.graded, self.counts.ready)
        )
        is_open = bool(hidden) or graded < ready
        if rows and (is_open or self.now <= closed_at(self.assignment) + LATELY):
            until = " before you release" if hidden or self.assignment.holds_grades else ""
            yield self._task(
                f"Look at {rows_in_words(rows)}{until}",
                reasons_of(row.needs for row in rows),
                button_of(len(rows)),
                "evaluations:staff",
                f"?show={Need.CHECK}#teams",
            )

    def _similar(self) -> Iterator[Task]:
        if number := self._of(self.counts.unread):
            yield self._task(
                f"Read {counted(number, 'pair')} of similar sources",
                "The comparison is done, and nobody has opened a pair yet."
                " Similarity is not a verdict.",
                "See the pairs",
                "similarity:similarity",
            )

    def _to_release(self) -> Iterator[Task]:
        hidden = self._of(self.counts.hidden)
        is_graded = self._of(self.counts.graded) >= self._of(self.counts.ready)
        if hidden and is_graded and self.now > closed_at(self.assignment) and not self._waits:
            yield self._task(
                f"Release the grades of {counted(hidden, 'team')}",
                "All are graded, and students see nothing yet. You can release one section first.",
                "Release grades…",
                "gradebook:release",
            )

    @property
    def _waits(self) -> bool:
        return bool(self._of(self.counts.under_way) or self._of(self.counts.failed))

    def _asked(self) -> Iterator[Task]:
        if number := self._of(self.counts.asked):
            yield Task(
                title=f"Answer {counted(number, 'regrade request')}",
                words="The points may rise, fall or stay; the student gets an e-mail.",
                button="Answer" if number == 1 else "See requests",
                address=reverse("gradebook:regrades", args=[self.assignment.course.slug]),
                assignment=self.assignment,
            )

    def _unsent(self) -> Iterator[Task]:
        if number := self._of(self.counts.unsent):
            yield self._task(
                f"Send the points of {counted(number, 'student')} again",
                "The learning platform did not take them; its answers are on the page.",
                "See what failed",
                "lti:points",
            )


def _has(number: int) -> str:
    return "has" if number == 1 else "have"


def _of_graders(user: Person, now: datetime) -> Iterator[Task]:
    if not user.is_superuser:
        return
    graders = Grader.objects.count()
    unwell = graders - Grader.objects.well(now).count()
    if unwell:
        yield Task(
            title=f"Look at {counted(unwell, 'grader')} of {graders}",
            words="They take no work: no report for a minute, or a failed check.",
            button="See graders",
            address=reverse("operations:graders"),
        )


# --- Counting -----------------------------------------------------------------------------------


def counts_of(course: Course, assignments: Sequence[Assignment], now: datetime) -> Counts:
    """Count what waits in these assignments. A fixed number of queries."""
    grades = _grades(assignments, now)
    evaluations = _evaluations(assignments)
    students = Enrolment.objects.active().filter(course=course, role=Role.STUDENT)
    asked = RegradeRequest.objects.filter(assignment__in=assignments, outcome=Outcome.OPEN)
    return Counts(
        asked=_by(asked, "assignment"),
        failed=Counter({of: failed for of, failed, _ in evaluations}),
        under_way=Counter({of: under_way for of, _, under_way in evaluations}),
        graded=Counter({of: graded for of, graded, *_ in grades}),
        faulty=Counter({of: faulty for of, _, faulty, _ in grades}),
        hidden=Counter({of: hidden for of, *_, hidden in grades}),
        ready=_ready(assignments),
        uploaders=_by(
            with_upload(assignments).filter(user__in=students.values("user")), "assignment"
        ),
        students=students.count(),
        unread=_unread(assignments),
        unsent=_by(
            Score.objects.filter(link__assignment__in=assignments, state=Score.State.FAILED),
            "link__assignment",
        ),
    )


def _by(rows: QuerySet, column: str) -> Counter[int]:  # type: ignore[type-arg]
    numbers = rows.order_by().values_list(column).annotate(number=Count("pk", distinct=True))
    return Counter(dict(numbers))


def _evaluations(assignments: Sequence[Assignment]) -> list[tuple[int, int, int]]:
    is_failed = Q(pk__in=Evaluation.objects.failed().values("pk"))
    is_under_way = Q(status__in=OPEN, kind=Kind.GRADED)
    rows = Evaluation.objects.filter(is_failed | is_under_way, assignment__in=assignments)
    counts = (
        rows.order_by()
        .values("assignment")
        .annotate(failed=Count("pk", filter=is_failed), under_way=Count("pk", filter=is_under_way))
    )
    return list(counts.values_list("assignment", "failed", "under_way"))


def _grades(assignments: Sequence[Assignment], now: datetime) -> list[tuple[int, int, int, int]]:
    """Count by assignment all grades, shown faulty ones and hidden ones. One query.

    Faulty ones are shown while they are hidden from students, and for a while afterwards.
    """
    is_hidden = Q(pk__in=[])
    if any(assignment.holds_grades for assignment in assignments):
        is_hidden = ~Q(team__in=released_teams().values("pk"))
    is_shown = IS_FAULTY & (is_hidden | Q(graded_at__gt=now - LATELY))
    grades = Grade.objects.filter(team__assignment__in=assignments, is_current=True)
    counts = (
        grades.order_by()
        .values("team__assignment")
        .annotate(
            graded=Count("pk"),
            faulty=Count("pk", filter=is_shown),
            hidden=Count("pk", filter=is_hidden),
        )
    )
    return list(counts.values_list("team__assignment", "graded", "faulty", "hidden"))


def _ready(assignments: Sequence[Assignment]) -> Counter[int]:
    ready = Submission.objects.filter(team=OuterRef("pk"), status=SubmissionStatus.READY)
    return _by(Team.objects.filter(Exists(ready), assignment__in=assignments), "assignment")


def _unread(assignments: Sequence[Assignment]) -> Counter[int]:
    later = Comparison.objects.filter(
        assignment=OuterRef("assignment"),
        finished_at__isnull=False,
        requested_at__gt=OuterRef("requested_at"),
    )
    finished = Comparison.objects.filter(assignment__in=assignments, finished_at__isnull=False)
    latest = finished.filter(~Exists(later)).values_list("pk", "assignment", "finished_at")
    # By the kind alone: to look for the course, SQLite would read all entries of its log.
    opened = Act.objects.filter(
        kind=ActKind.PAIR_OPENED.name_kept, team__assignment__in=assignments
    ).order_by()
    last_opened = dict(opened.values_list("team__assignment").annotate(last=Max("at")))
    unread = {
        comparison: of
        for comparison, of, finished_at in latest
        if of not in last_opened or last_opened[of] < finished_at
    }
    pairs = SimilarPair.objects.filter(comparison__in=unread).order_by().values_list("comparison")
    numbers = pairs.annotate(number=Count("pk"))
    return Counter({unread[comparison]: number for comparison, number in numbers})
