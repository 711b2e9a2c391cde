"""The gradebook of an assignment: one row per student, and the same rows as CSV."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from grader.core.records import Mode
from webapp.accounts.models import User
from webapp.courses.deadlines import Candidate, Resolution
from webapp.courses.models import (
    Assignment,
    Enrolment,
    EnrolmentState,
    Membership,
    Role,
    Team,
    in_one_of,
)
from webapp.courses.releases import held_students
from webapp.courses.resolution import Resolutions, resolve_assignment, resolve_users
from webapp.evaluations.history import submissions_in_test
from webapp.evaluations.models import Evaluation, Kind
from webapp.evaluations.selectors import modes_of
from webapp.gradebook.models import Grade, ManualPoints
from webapp.gradebook.points import Points, manual_points
from webapp.spreadsheets import Cell, to_csv
from webapp.submissions.models import Submission

_OF_STUDENT: Final = (
    *("user_id", "section_id", "student_number", "state", "section__name"),
    *("user__display_name", "user__email"),
)
_OF_RUN: Final = ("uuid", "status", "n_games", "won", "high", "standard_error", "lost", "faults")
_READ: Final = (
    *("team_id", "mean", "points", "full_points", "penalty_percent", "graded_at", "is_current"),
    *("changed_by__display_name", "evaluation__interface", "evaluation__submission_id"),
    *(f"evaluation__{column}" for column in _OF_RUN),
    *(f"evaluation__submission__{column}" for column in ("number", "uploaded_at")),
)
"""Columns of a grade, its evaluation and its upload that pages and exports show: the others are
long, and reading them takes longer than all the rest."""


class GradeStatus(StrEnum):
    """Why there is a grade, or none."""

    GRADED = "graded"
    """The grade rests on the submission that counts."""
    OUTDATED = "outdated"
    """The grade rests on another submission: the graded evaluation must be run again."""
    NOT_GRADED = "not graded"
    """There is a submission that counts, and no finished graded evaluation yet."""
    TESTING = "still being tested"
    """Nothing counts yet; an upload that was early enough is in its smoke test."""
    NOTHING_COUNTS = "no counted submission"
    """Something was uploaded, but nothing was ready by the deadline as it is now."""
    NOT_SUBMITTED = "not submitted"
    """Nothing was uploaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeRow:
    """One student."""

    enrolment: Enrolment
    user: User
    team: Team | None
    settled: Resolution
    """Due date and lateness."""
    submission: Candidate | None
    """The one that counts."""
    evaluation: Evaluation | None
    """The evaluation that the grade rests on."""
    grade: Grade | None
    points: Points
    """Games and points by hand together: what everybody is shown."""
    earlier: tuple[Grade, ...]
    """Earlier grades of its team, and those that a better one kept from counting; newest first."""
    status: GradeStatus


def grade_of(team: Team) -> Grade | None:
    """The team's grade. One query."""
    return team.grades.filter(is_current=True).select_related("evaluation__submission").first()


def grade_by(evaluation: Evaluation) -> Grade | None:
    """The points that the evaluation is worth, whether or not they are the team's grade now.

    One query; none for an evaluation that gives no grade.
    """
    return grades_by([evaluation]).get(evaluation.pk)


def grades_by(evaluations: Iterable[Evaluation]) -> dict[int, Grade]:
    """Return the points that evaluations are worth, by their keys. One query at most."""
    graded = [run.pk for run in evaluations if run.kind == Kind.GRADED and not run.is_open]
    if not graded:
        return {}
    grades = Grade.objects.filter(evaluation__in=graded)
    return {
        grade.evaluation_id: grade for grade in grades.order_by("is_current", "graded_at", "pk")
    }


def n_graded(assignment: Assignment) -> int:
    """Count the teams that have a grade. One query."""
    return Grade.objects.filter(team__assignment=assignment, is_current=True).count()


def n_graded_students(assignment: Assignment, settled: Resolutions | None = None) -> int:
    """Return how many students' teams have a grade that rests on what counts.

    Two queries, and those of ``resolve_assignment`` unless it was done already.
    """
    graded = _graded_teams(assignment, settled or resolve_assignment(assignment))
    members = Membership.objects.filter(
        assignment=assignment,
        user__enrolments__course=assignment.course_id,
        user__enrolments__role=Role.STUDENT,
        user__enrolments__state__in=[EnrolmentState.ACTIVE, EnrolmentState.WITHDRAWN],
    )
    return sum(team in graded for team in members.values_list("team_id", flat=True))


def _graded_teams(assignment: Assignment, settled: Resolutions) -> set[int]:
    """Return the teams with a grade that rests on what counts."""
    current = Grade.objects.filter(team__assignment=assignment, is_current=True)
    return {
        team
        for team, submission in current.values_list("team", "evaluation__submission")
        if (counted := settled.teams[team].counted) is not None and counted.pk == submission
    }


def students_like(assignment: Assignment, words: str = "") -> QuerySet[Enrolment]:
    """Return the course's students by name, filtered by words in name, address or number."""
    students = (
        Enrolment.objects.graded()
        .filter(course=assignment.course)
        .with_sections()
        .order_by("user__display_name", "pk")
    )
    if not words:
        return students
    return students.filter(
        Q(user__display_name__icontains=words)
        | Q(user__email__icontains=words)
        | Q(student_number__icontains=words)
        | in_one_of(section__name__icontains=words)
    )


def with_upload(assignments: Collection[Assignment]) -> QuerySet[Membership]:
    """Return the members of teams that have uploaded something, accepted or not."""
    uploads = Submission.objects.filter(team=OuterRef("team"))
    return Membership.objects.filter(Exists(uploads), assignment__in=assignments)


def without_upload(assignment: Assignment, students: QuerySet[Enrolment]) -> QuerySet[Enrolment]:
    """Return those of these students who are enrolled and whose team, if any, uploaded nothing."""
    uploaders = with_upload([assignment]).filter(user=OuterRef("user"))
    return students.filter(~Exists(uploaders), state=EnrolmentState.ACTIVE)


def gradebook(
    assignment: Assignment,
    students: Sequence[Enrolment] | None = None,
    settled: Resolutions | None = None,
) -> list[GradeRow]:
    """Return every enrolled student in the order of names, or these. For staff only.

    A fixed number of queries. ``settled``: the dates of the whole assignment, if they are known.
    """
    everybody = students_like(assignment).only(*_OF_STUDENT)
    enrolments = list(everybody) if students is None else students
    users = None if students is None else [student.user_id for student in students]
    work = _Work.of(assignment, users, settled)
    return [work.row(enrolment) for enrolment in enrolments]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """The data of the rows: some by student, some by team."""

    assignment: Assignment
    settled: Resolutions
    teams: Mapping[int, Team]
    """By student."""
    testing: Mapping[int, Submission]
    submitted: Collection[int]
    """Teams that uploaded something."""
    grades: Mapping[int, Sequence[Grade]]
    by_hand: Mapping[tuple[int, int], tuple[ManualPoints, ...]]
    """By assignment and student."""
    held: Collection[int]
    """Students whose grades are not released."""

    @classmethod
    def of(
        cls, assignment: Assignment, users: Sequence[int] | None, settled: Resolutions | None
    ) -> "_Work":
        """Read the work of these students, or of all."""
        memberships = Membership.objects.filter(assignment=assignment)
        chosen = Team.objects.filter(assignment=assignment)
        if users is not None:
            memberships = memberships.filter(user__in=users)
        teams = {row.user_id: row.team for row in memberships.select_related("team")}
        if users is not None:
            chosen = chosen.filter(pk__in=[team.pk for team in teams.values()])
        settled = settled or (
            resolve_assignment(assignment) if users is None else resolve_users(assignment, users)
        )
        # A team may have been made since the dates were settled.
        made = (team.pk for team in teams.values())
        shown = {team: settled.teams[team] for team in made if team in settled.teams}
        return cls(
            assignment=assignment,
            settled=settled,
            teams=teams,
            testing=submissions_in_test(assignment, shown),
            submitted=_submitted(chosen),
            grades=_grades(chosen),
            by_hand=manual_points([assignment], users),
            held=held_students(assignment, users),
        )

    def row(self, enrolment: Enrolment) -> GradeRow:
        """The student's row."""
        user = enrolment.user_id
        team = self.teams.get(user)
        settled = self.settled.of(user)
        all_grades = self.grades.get(team.pk, ()) if team else ()
        grade = next((grade for grade in all_grades if grade.is_current), None)
        by_hand = self.by_hand.get((self.assignment.pk, user), ())
        return GradeRow(
            enrolment=enrolment,
            user=enrolment.user,
            team=team,
            settled=settled,
            submission=settled.counted,
            evaluation=None if grade is None else grade.evaluation,
            grade=grade,
            points=Points(grade=grade, manual=by_hand, is_held=user in self.held),
            earlier=tuple(grade for grade in all_grades if not grade.is_current),
            status=status_of(
                grade,
                settled.counted,
                has_submitted=team is not None and team.pk in self.submitted,
                in_test=team is not None and team.pk in self.testing,
            ),
        )


def _submitted(teams: QuerySet[Team]) -> set[int]:
    submissions = Submission.objects.filter(team__in=teams.values("pk")).order_by()
    return set(submissions.values_list("team_id", flat=True).distinct())


def _grades(teams: QuerySet[Team]) -> dict[int, list[Grade]]:
    """By team, in the order of the model."""
    grades: dict[int, list[Grade]] = {}
    made = Grade.objects.filter(team__in=teams.values("pk"))
    for grade in made.select_related("evaluation__submission", "changed_by").only(*_READ):
        grades.setdefault(grade.team_id, []).append(grade)
    return grades


def status_of(
    grade: Grade | None, counted: Candidate | None, *, has_submitted: bool, in_test: bool
) -> GradeStatus:
    """Return the status of a grade: it may be missing, or of another submission than counts."""
    if grade is not None and counted is not None:
        same = grade.evaluation.submission_id == counted.pk
        return GradeStatus.GRADED if same else GradeStatus.OUTDATED
    if counted is not None:
        return GradeStatus.NOT_GRADED
    if in_test:
        return GradeStatus.TESTING
    return GradeStatus.NOTHING_COUNTS if has_submitted else GradeStatus.NOT_SUBMITTED


CSV_HEADER = (
    "Name",
    "E-mail",
    "Student number",
    "Section",
    "Team",
    "Submission",
    "Uploaded at",
    "Games",
    "Mean",
    "Won",
    "Standard error",
    "Lost",
    "Faults",
    "Points",
    "Status",
    "Interface",
    "Mode",
    "Evaluation",
    "Due at",
    "Late (hours)",
    "Late days used",
    "Penalty (%)",
    "Points before penalty",
    "Points from games",
    "Points by hand",
    "Comment",
    "Released",
)


def gradebook_csv(assignment: Assignment) -> str:
    """The gradebook for a spreadsheet. For staff only."""
    graded = Evaluation.objects.filter(assignment=assignment, grades__is_current=True)
    return to_csv(CSV_HEADER, _cells(gradebook(assignment), modes_of(graded)))


def _cells(rows: Iterable[GradeRow], modes: Mapping[int, Mode]) -> Iterable[tuple[Cell, ...]]:
    for row in rows:
        played = row.evaluation
        graded = None if played is None else played.submission
        yield (
            row.user.display_name,
            row.user.email,
            row.enrolment.student_number,
            row.enrolment.section_words,
            row.team.name if row.team else "",
            graded.number if graded else None,
            graded.uploaded_at if graded else None,
            played.n_games if played else None,
            row.grade.mean if row.grade else None,
            played.won if played else None,
            played.standard_error if played else None,
            played.lost if played else None,
            played.faults if played else None,
            row.points.total,
            row.status.value,
            played.interface if played else "",
            modes[played.pk].value if played else "",
            str(played.uuid) if played else "",
            row.settled.deadline.due_at,
            *_lateness_cells(row),
            *_hand_cells(row.points),
        )


def _hand_cells(points: Points) -> tuple[Cell, ...]:
    given = [row.points for row in points.manual if row.points is not None]
    return (
        points.grade.points if points.grade else None,
        sum(given) if given else None,
        "\n".join(row.comment for row in points.manual if row.comment),
        "no" if points.is_held else "yes",
    )


def _lateness_cells(row: GradeRow) -> tuple[Cell, ...]:
    """Return the lateness of the graded upload, or of the one that counts before it is graded."""
    graded = None if row.evaluation is None else row.evaluation.submission
    submission = graded or row.submission
    if submission is None:
        return (None, None, None, None)
    lateness = row.settled.lateness_of_graded(submission.uploaded_at)
    return (
        round(lateness.late_by / timedelta(hours=1), 2),
        lateness.late_days,
        lateness.penalty_percent,
        row.grade.full_points if row.grade else None,
    )
