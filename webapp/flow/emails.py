"""E-mails: their readers, their occasions and their texts."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from grader.core.words import counted
from grader.ladder.members import FAULTY_GAMES, LATEST_GAMES
from webapp.contests.ladders.models import Departure, LadderEntry
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.gradebook.models import RegradeRequest
from webapp.grading.gradebook.points import all_points
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.selectors import untested_since
from webapp.people.accounts.identities import Identity, join_from_session
from webapp.people.accounts.models import User
from webapp.people.notifications.models import Topic
from webapp.people.notifications.services import (
    Letter,
    notify,
    notify_each,
    notify_many,
    reminded_since,
    withdraw,
)
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    Enrolment,
    EnrolmentState,
    Extension,
    Team,
)
from webapp.teaching.courses.releases import released_teams
from webapp.teaching.courses.resolution import resolution_for, resolve_assignment

_AWAY_AFTER: Final = timedelta(minutes=2)
"""People who have the page open see the verdict earlier, and get no e-mail."""

_REMIND_BEFORE: Final = timedelta(days=1)
_LONGEST_EXTENSION: Final = timedelta(days=60)
"""Longest time after its due date at which an assignment may still be due for one student."""


def tell_verdict(evaluation: Evaluation, *, at: datetime) -> None:
    """E-mail the team about its upload: rejected, or how its first practice went."""
    submission = _submission_of(evaluation)
    submission.refresh_from_db(fields=["status", "messages"])
    if submission.status == SubmissionStatus.REJECTED:
        verdict, explanation = "rejected", _first_complaint(submission)
    else:
        verdict, explanation = _practice_words(evaluation)
    context = {**_context(submission), "verdict": verdict, "explanation": explanation}
    notify(
        _members(submission.team),
        topic=Topic.VERDICT,
        key=_key(submission),
        context=context,
        at=at,
        wait=_AWAY_AFTER,
    )


def mark_verdict_seen(submission: Submission, *, by: User, at: datetime) -> None:
    """Send no e-mail about a verdict to a user who has just read it."""
    withdraw(topic=Topic.VERDICT, key=_key(submission), at=at, user=by)


def tell_graded(evaluation: Evaluation, *, at: datetime) -> None:
    """E-mail the team that its submission was graded; only the site shows the points."""
    submission = _submission_of(evaluation)
    notify(
        _members(submission.team),
        topic=Topic.GRADED,
        key=f"evaluation-{evaluation.pk}",
        context=_context(submission),
        at=at,
    )


def tell_released(assignment: Assignment, *, at: datetime) -> None:
    """Notify everybody whose grade has been released and who was not notified yet."""
    released, left = released_teams().filter(assignment=assignment), _left(assignment.course)
    gone = set(left.values_list("user_id", flat=True))
    graded = Evaluation.objects.filter(
        kind=Kind.GRADED, is_current=True, submission__team__in=released
    )
    letters = [
        Letter(user=user, key=f"evaluation-{evaluation.pk}", context=_context(submission))
        for evaluation in graded.select_related("submission__team__assignment__course")
        .prefetch_related("submission__team__users")
        .order_by("pk")
        if (submission := evaluation.submission) is not None
        for user in submission.team.users.all()
        if user.pk not in gone
    ]
    letters += _letters_by_hand(assignment, without={letter.user.pk for letter in letters})
    notify_many(letters, topic=Topic.GRADED, at=at)


def _letters_by_hand(assignment: Assignment, *, without: Collection[int]) -> list[Letter]:
    """Return letters to students who have points or a comment by hand, and no graded games."""
    users = {
        user
        for (_, user), points in all_points([assignment], with_runs=False).items()
        if points.grade is None and not points.is_held
        if any(row.points is not None or row.comment for row in points.manual)
    }
    context = {**_about(assignment), "path": _own_grade(assignment)}
    readers = User.objects.filter(
        pk__in=users.difference(without), enrolments__in=assignment.course.enrolments.active()
    )
    return [
        Letter(user=user, key=f"release-{assignment.pk}", context=context)
        for user in readers.order_by("pk")
    ]


def tell_answered(request: RegradeRequest, *, at: datetime) -> None:
    """E-mail a student that their regrade request was answered; the site shows the answer."""
    assignment = request.assignment
    notify(
        [request.user],
        topic=Topic.REGRADE,
        key=f"regrade-{request.pk}",
        context={**_about(assignment), "path": _own_grade(assignment)},
        at=at,
    )


def tell_departure(entry: LadderEntry, *, at: datetime) -> None:
    """E-mail the team that its agent has left the ladder for a reason that it can fix."""
    submission = entry.submission
    if submission is None:
        return  # a house agent
    faulty = f"Its faults ended at least {FAULTY_GAMES} of its latest {LATEST_GAMES} games."
    explanation = faulty if entry.departure == Departure.FAULTY else "It could not be built."
    notify(
        _members(submission.team),
        topic=Topic.LADDER,
        key=f"ladder-entry-{entry.pk}",
        context={**_context(submission), "entry": entry, "explanation": explanation},
        at=at,
    )


def tell_extension(extension: Extension, *, at: datetime) -> None:
    """Notify people whose extension was given or withdrawn of their due date."""
    assignment, team = extension.assignment, extension.team
    users = [extension.user] if team is None else list(_members(team))
    readers = [user for user in users if user is not None]
    if not readers:
        return
    context = {
        **_about(assignment),
        "has_extension": extension.due_at is not None,
        "has_less": _ends_earlier(extension),
        "due_at": resolution_for(readers[0], assignment).deadline.due_at,
        "by": extension.granted_by,
        "reason": extension.reason,
    }
    with timezone.override(assignment.course.tz):
        notify(
            readers,
            topic=Topic.EXTENSION,
            key=f"extension-{extension.pk}",
            context=context,
            at=at,
        )


def _ends_earlier(extension: Extension) -> bool:
    of_one = Extension.objects.filter(assignment=extension.assignment, user=extension.user)
    earlier = of_one.filter(team=extension.team, pk__lt=extension.pk).order_by("pk").last()
    if earlier is None or earlier.due_at is None or extension.due_at is None:
        return False
    return extension.due_at < earlier.due_at


def remind_of_deadlines(*, at: datetime) -> int:
    """Remind everybody who has a day left and nothing that counts; return how many.

    Nobody is reminded twice of the same due date, or within a day of a reminder by staff.
    """
    running = Assignment.objects.filter(
        opens_at__lte=at,
        due_at__gt=at - _LONGEST_EXTENSION,
        secret_revealed_at__isnull=True,
        course__archived_at__isnull=True,
    )
    return sum(_remind(assignment, at) for assignment in running.select_related("course"))


def _remind(assignment: Assignment, at: datetime) -> int:
    late = _due_soon(assignment, at)
    lately = reminded_since(assignment.pk, at - _REMIND_BEFORE) if late else set()
    sent = 0
    with timezone.override(assignment.course.tz):
        for due_at, users in late.items():
            sent += notify(
                User.objects.filter(
                    pk__in=set(users) - lately, enrolments__in=assignment.course.enrolments.active()
                ),
                topic=Topic.DEADLINE,
                key=f"assignment-{assignment.pk}-{due_at:%Y%m%d%H%M}",
                context={**_about(assignment), "due_at": due_at},
                at=at,
            )
    return sent


def _due_soon(assignment: Assignment, at: datetime) -> dict[datetime, list[int]]:
    """Return the students with a day left, and nothing that counts or may yet, by due date."""
    late: dict[datetime, list[int]] = defaultdict(list)
    untested = untested_since([assignment])
    for user, resolution in resolve_assignment(assignment).students.items():
        due_at = resolution.deadline.due_at
        has_nothing = resolution.counted is None and (assignment.pk, user) not in untested
        if has_nothing and at < due_at <= at + _REMIND_BEFORE:
            late[due_at].append(user)
    return late


def _about(assignment: Assignment) -> Mapping[str, Any]:
    course = assignment.course
    path = reverse("courses:assignment", args=[course.slug, assignment.slug])
    return {"assignment": assignment, "course": course, "path": path}


def _own_grade(assignment: Assignment) -> str:
    return reverse("gradebook:own", args=[assignment.course.slug, assignment.slug])


def _submission_of(evaluation: Evaluation) -> Submission:
    if evaluation.submission is None:
        raise ValueError(f"{evaluation} is of no submission")
    return evaluation.submission


def _members(team: Team) -> QuerySet[User]:
    return team.users.exclude(enrolments__in=_left(team.assignment.course))


def _left(course: Course) -> QuerySet[Enrolment]:
    return course.enrolments.exclude(state=EnrolmentState.ACTIVE)


def _context(submission: Submission) -> Mapping[str, Any]:
    assignment = submission.team.assignment
    return {
        "submission": submission,
        "team": submission.team,
        "assignment": assignment,
        "course": assignment.course,
        "path": reverse("submissions:submission", args=[submission.pk]),
    }


def _key(submission: Submission) -> str:
    return f"submission-{submission.pk}"


def _first_complaint(submission: Submission) -> str:
    if not submission.messages:
        return "See why, and what to do, on its page:"
    first = submission.messages[0]
    location = f"{first['file']}, line {first['line']}: " if first["file"] and first["line"] else ""
    return f"{location}{first['text']}"


def _practice_words(evaluation: Evaluation) -> tuple[str, str]:
    games = counted(evaluation.n_games, "game")
    verdict = f"accepted, all {games} played without a fault"
    if evaluation.faults:
        verdict = f"accepted with faults: {evaluation.faults} of {games} ended with a fault"
    if evaluation.mean is None or evaluation.low is None or evaluation.high is None:
        return verdict, "See its games:"
    shown = evaluation.assignment.scheme.mean_in_words
    interval = f"95% interval {shown(evaluation.low)} to {shown(evaluation.high)}"
    played = counted(evaluation.n_games, "practice game")
    return verdict, f"Mean of {played}: {shown(evaluation.mean)} ({interval})."


@transaction.atomic
def join_and_tell(*, user: User, identity: Identity, at: datetime | None = None) -> None:
    """Join an identity to an operator's account and tell the account. Raises Refused."""
    join_from_session(user=user, identity=identity)
    now = at or timezone.now()
    context = {"provider": identity.provider_name, "name": user.display_name}
    context["path"] = reverse("accounts:profile")
    key = f"joined-{now:%Y%m%d%H%M%S%f}"
    notify_each([(user, context)], topic=Topic.ADDRESS, key=key, at=now)
