"""Delete a person: everything that names them is removed, and their grades stay without a name.

A team's uploads go with the last of its members; partners who stay keep their own work.
"""

import secrets
from datetime import datetime
from typing import Any, Final

from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from webapp.base.errors import NotAllowed, Refused
from webapp.contests.tournaments.models import TournamentAudit
from webapp.flow.lifecycle.stripping import strip_logs, strip_prints, strip_sources
from webapp.grading.evaluations.models import Audit
from webapp.grading.gradebook.models import Grade, ManualPoints, Outcome, RegradeRequest
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.erasing import acts_with_address, acts_with_name, erase_words
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import (
    Accommodation,
    Enrolment,
    EnrolmentState,
    Extension,
    Role,
    Team,
)

NOBODY: Final = "Deleted person"
_GONE: Final = "erased with the person"
_DOMAIN: Final = "@deleted.invalid"
_FORGOTTEN: Final = Q(is_active=False, email__endswith=_DOMAIN)
"""Accounts of deleted persons. Others may be called like them."""


@transaction.atomic
def forget_person(
    *, user: User, by: User, email: str, reason: str, at: datetime | None = None
) -> None:
    """Delete a person's data and close the account, for good.

    ``email`` is their address, typed again; ``reason`` stays in the log and must not name them.
    Raises NotAllowed unless ``by`` is an operator; Refused for oneself, the last instructor of a
    course that goes on, another address, or no reason.
    """
    if not by.is_superuser:
        raise NotAllowed("Only operators of this site delete people.")
    _refuse(user, by, email, reason)
    now = at or timezone.now()
    teams = _teams_of(user)
    _forget_work(user, teams, now)
    _forget_places(user, teams)
    _close_requests(user, by, now)
    for column in columns_of_one_person():
        column.model._base_manager.filter(**{column.name: user}).delete()
    _forget_administration(user)
    AccessAttempt.objects.filter(username=user.email).delete()
    address, name = user.email, user.display_name
    _empty_account(user)
    _forget_words(user, by, [team.pk for team in teams], address=address, name=name)
    record(ActKind.PERSON_FORGOTTEN, by=by, person=user, reason=reason, at=now)


def columns_of_one_person() -> list[Any]:
    """Return the columns by which rows are one person's alone: they cascade with an account."""
    return [
        column
        for model in apps.get_models(include_auto_created=True)
        for column in model._meta.concrete_fields
        if column.related_model is User
        and getattr(column.remote_field, "on_delete", None) is models.CASCADE
    ]


def _forget_administration(user: User) -> None:
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    ).update(object_repr=NOBODY, change_message="")


def _refuse(user: User, by: User, email: str, reason: str) -> None:
    if user.pk == by.pk:
        raise Refused("Another operator has to delete your account.")
    if User.objects.normalize_email(email) != user.email:
        raise Refused(f"Type the person’s e-mail address, {user.email}, to delete them.")
    if not reason.strip():
        raise Refused("Give a reason, without naming the person.")
    teaches = Enrolment.objects.active().filter(
        user=user, role=Role.INSTRUCTOR, course__archived_at__isnull=True
    )
    for enrolment in teaches.select_related("course"):
        others = enrolment.course.enrolments.active().filter(role=Role.INSTRUCTOR)
        if not others.exclude(user=user).exists():
            raise Refused(
                f"{enrolment.course} has no other instructor: make another person one first."
            )


def _teams_of(user: User) -> list[Team]:
    """Return the teams that they are in, were moved out of, or uploaded for as a member."""
    moves = Act.objects.filter(kind=ActKind.TEAM_CHANGED.name_kept, person=user)
    left = [move.before["team"] for move in moves if move.before.get("team")]
    for_others = Act.objects.filter(kind=ActKind.UPLOADED.name_kept, by=user, team__isnull=False)
    own = Submission.objects.filter(uploaded_by=user).exclude(team__in=for_others.values("team"))
    theirs = Q(memberships__user=user) | Q(pk__in=left) | Q(pk__in=own.values("team"))
    return list(Team.objects.filter(theirs).select_related("assignment").distinct())


def _forget_work(user: User, teams: list[Team], at: datetime) -> None:
    """Delete what belonged to them alone; rename teams, which are named after their members."""
    for team in teams:
        Team.objects.filter(pk=team.pk).update(name=_free_name(team))
    submitted = Submission.objects.filter(team__in=teams)
    flagged = Audit.objects.filter(evaluation__submission__in=submitted)
    flagged.exclude(seen_note="").update(seen_note=_GONE)
    entered = TournamentAudit.objects.filter(participant__submission__in=submitted)
    entered.exclude(seen_note="").update(seen_note=_GONE)
    alone = [team.pk for team in teams if not _has_others(team, user)]
    Grade.objects.filter(team__in=alone).exclude(reason="").update(reason=_GONE)
    uploads = Submission.objects.filter(team__in=alone)
    strip_sources(uploads, at=at)
    strip_prints(uploads)
    strip_logs(uploads)


def _has_others(team: Team, user: User) -> bool:
    """Return whether another remembered person is in the team or uploaded for it as a student."""
    others = User.objects.exclude(pk=user.pk).exclude(_FORGOTTEN)
    students = others.filter(
        enrolments__course=team.assignment.course_id, enrolments__role=Role.STUDENT
    )
    return (
        team.memberships.filter(user__in=others).exists()
        or team.submissions.filter(uploaded_by__in=students).exists()
    )


def _free_name(team: Team) -> str:
    taken = Team.objects.filter(assignment=team.assignment_id, name=f"Team {team.alias}")
    return f"Team {team.alias}" if not taken.exists() else f"Team {secrets.token_hex(6)}"


def _forget_places(user: User, teams: list[Team]) -> None:
    places = Enrolment.objects.filter(user=user)
    Accommodation.objects.filter(enrolment__in=places).update(reason=_GONE)
    Extension.objects.filter(Q(user=user) | Q(team__in=teams)).update(reason=_GONE)
    ManualPoints.objects.filter(user=user).update(comment="", reason=_GONE)
    places.update(student_number="")
    places.exclude(role=Role.STUDENT).update(state=EnrolmentState.REMOVED)
    places.filter(role=Role.STUDENT, state=EnrolmentState.ACTIVE).update(
        state=EnrolmentState.WITHDRAWN
    )


def _close_requests(user: User, by: User, at: datetime) -> None:
    requests = RegradeRequest.objects.filter(user=user)
    requests.filter(outcome=Outcome.OPEN).update(
        outcome=Outcome.KEPT, answer=_GONE, answered_by=by, answered_at=at
    )
    requests.update(text=_GONE, answer=_GONE)


def _empty_account(user: User) -> None:
    """Leave an anonymous row with which no one can sign in: sessions end with the password."""
    user.email = f"deleted-{secrets.token_hex(8)}{_DOMAIN}"
    user.display_name, user.time_zone = NOBODY, ""
    user.is_active = user.is_staff = user.is_superuser = user.may_create_courses = False
    user.last_login = user.reset_mailed_at = None
    user.set_unusable_password()
    user.save()


def _forget_words(user: User, by: User, teams: list[int], *, address: str, name: str) -> None:
    """Erase the words of entries on them, by them, on their teams, and of those that name them.

    Many people share a name: it is looked for in their courses only.
    """
    courses = Enrolment.objects.filter(user=user).values("course")
    named = acts_with_address(Act.objects.all(), address)
    named |= acts_with_name(Act.objects.filter(course__in=courses), name)
    about = Act.objects.filter(Q(person=user) | Q(by=user) | Q(team__in=teams) | Q(pk__in=named))
    own = about.exclude(kind=ActKind.GRADE_CHANGED.name_kept, by__isnull=True)
    erase_words(own, by=by, reason="A person was deleted.")
