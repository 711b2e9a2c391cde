"""A course as large as they come, made in bulk: many teams with many uploads, all graded.

Only rows: no archive lies in the store, and evaluations have figures but no games. It is for
measuring pages and for counting their queries.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from django.utils import timezone

from webapp.grading.evaluations.models import Evaluation, Kind, Status, Verdict
from webapp.grading.evaluations.services.requests import spec_for
from webapp.grading.gradebook.models import Grade
from webapp.grading.jobs.models import Job
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.aliases import WORDS
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Membership, Role, Team
from webapp.teaching.courses.services import create_assignment, create_course

if TYPE_CHECKING:
    from grader.results.evaluation import EvaluationSpec


GAMES: Final = 1000
_ROWS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Crowd:
    """The course, with its people and teams."""

    course: Course
    assignment: Assignment
    instructor: User
    students: list[User]
    """One a team, in the teams' order."""
    teams: list[Team]


def make_crowd(*, teams: int = 1000, submissions: int = 10, graded: bool = True) -> Crowd:
    """Make a course of so many teams of one student, each with so many uploads.

    Each upload has finished its smoke test and its practice. If ``graded``, the last one of each
    team has its graded evaluation and its grade.
    """
    chance = random.Random(0)  # noqa: S311 - the same course each time
    now = timezone.now()
    instructor = User.objects.create_user(
        "ida.crowd@example.org", display_name="Ida", may_create_courses=True
    )
    course = create_course(by=instructor, title="A large course", slug="large", places=teams + 10)
    assignment = create_assignment(
        course=course,
        by=instructor,
        slug="hanabi",
        title="Hanabi",
        options={"variant": "gcc", "players": 2},
        opens_at=now - timedelta(days=30),
        due_at=now + timedelta(hours=1),
        n_games=GAMES,
    )
    students = _students(course, teams)
    made = _teams(assignment, students)
    uploads = _uploads(made, students, submissions, now)
    _evaluations(assignment, uploads, now, chance)
    if graded:
        _grades(assignment, [upload for upload in uploads if upload.number == submissions], chance)
    return Crowd(course, assignment, instructor, students, made)


def queue_evaluations(
    crowd: Crowd, teams: Sequence[Team], *, kind: Kind = Kind.PRACTICE, playing: bool = False
) -> list[Evaluation]:
    """Give these teams another evaluation, which waits or is played."""
    now = timezone.now()
    status = Status.PLAYING if playing else Status.QUEUED
    newest = Submission.objects.filter(team__in=teams).order_by("team", "-number")
    latest = {upload.team_id: upload for upload in reversed(newest)}
    waiting = Evaluation.objects.bulk_create(
        _evaluation(
            crowd.assignment,
            upload,
            kind,
            status=status,
            requested_at=now,
            started_at=now if playing else None,
            games_done=crowd.assignment.practice_games // 4 if playing else 0,
        )
        for upload in latest.values()
    )
    Job.objects.bulk_create(
        Job(
            evaluation=evaluation,
            queue=kind,
            payload={"ranges": [[0, evaluation.n_games - 1]], "check_first": False},
            n_games=evaluation.n_games,
            status=status,
            created_at=now,
            sent_at=now,
        )
        for evaluation in waiting
    )
    return waiting


def _students(course: Course, count: int) -> list[User]:
    students = User.objects.bulk_create(
        User(email=f"student{number}@example.org", display_name=f"Student {number:04}")
        for number in range(count)
    )
    Enrolment.objects.bulk_create(
        Enrolment(course=course, user=user, role=Role.STUDENT, student_number=str(20_000_000 + k))
        for k, user in enumerate(students)
    )
    return students


def _teams(assignment: Assignment, students: list[User]) -> list[Team]:
    teams = Team.objects.bulk_create(
        Team(
            assignment=assignment,
            name=student.display_name,
            alias=f"{WORDS[k % len(WORDS)]} {1 + k // len(WORDS)}",
        )
        for k, student in enumerate(students)
    )
    Membership.objects.bulk_create(
        Membership(team=team, assignment=assignment, user=student)
        for team, student in zip(teams, students, strict=True)
    )
    return teams


def _uploads(
    teams: list[Team], students: list[User], count: int, now: datetime
) -> list[Submission]:
    return Submission.objects.bulk_create(
        (
            Submission(
                team=team,
                number=number,
                uploaded_by=student,
                uploaded_at=now - timedelta(days=1 + count - number),
                filename="agent.py",
                sha256=f"{team.pk * count + number:064x}",
                size_bytes=1000,
                status=SubmissionStatus.READY,
            )
            for team, student in zip(teams, students, strict=True)
            for number in range(1, count + 1)
        ),
        batch_size=_ROWS_AT_ONCE,
    )


def _evaluations(
    assignment: Assignment, uploads: list[Submission], now: datetime, chance: random.Random
) -> None:
    Evaluation.objects.bulk_create(
        (
            _finished(assignment, upload, kind, now, chance)
            for upload in uploads
            for kind in (Kind.SMOKE, Kind.PRACTICE)
        ),
        batch_size=_ROWS_AT_ONCE,
    )


def _grades(assignment: Assignment, uploads: list[Submission], chance: random.Random) -> None:
    now = timezone.now()
    runs = Evaluation.objects.bulk_create(
        (_finished(assignment, upload, Kind.GRADED, now, chance) for upload in uploads),
        batch_size=_ROWS_AT_ONCE,
    )
    Grade.objects.bulk_create(
        Grade(
            team_id=upload.team_id,
            evaluation=run,
            mean=run.mean or 0.0,
            points=assignment.scheme.points(run.mean or 0.0),
            full_points=assignment.scheme.points(run.mean or 0.0),
            scheme=assignment.grading,
            graded_at=now,
        )
        for run, upload in zip(runs, uploads, strict=True)
    )


def _finished(
    assignment: Assignment, upload: Submission, kind: Kind, now: datetime, chance: random.Random
) -> Evaluation:
    mean = chance.uniform(5.0, 22.0)
    return _evaluation(
        assignment,
        upload,
        kind,
        status=Status.FINISHED,
        verdict=Verdict.ACCEPTED,
        is_current=True,
        requested_at=now - timedelta(hours=2),
        started_at=now - timedelta(hours=2),
        finished_at=now - timedelta(hours=1),
        mean=mean,
        sd=2.0,
        standard_error=0.1,
        low=mean - 0.2,
        high=mean + 0.2,
        lost=3,
        histogram=[[score, 40] for score in range(26)],
        ms_per_game=5.0,
        turn_ms={"median": 0.1, "p99": 0.4, "max": 2.0},
    )


def _evaluation(
    assignment: Assignment, upload: Submission, kind: Kind, **fields: Any
) -> Evaluation:
    spec, plain = _spec(bytes(assignment.secret), assignment, kind)
    if fields["status"] == Status.FINISHED:
        fields["games_done"] = spec.n_games
    return Evaluation(
        assignment=assignment,
        submission=upload,
        kind=kind,
        interface=upload.interface,
        sha256=upload.sha256,
        spec=plain,
        n_games=spec.n_games,
        **fields,
    )


@lru_cache(maxsize=8)
def _spec(secret: bytes, assignment: Assignment, kind: Kind) -> "tuple[EvaluationSpec, Any]":
    """Return the spec and its builtins: the same for all agents. The secret tells worlds apart."""
    del secret
    spec = spec_for(assignment, kind, "python")
    return spec, msgspec.to_builtins(spec)
