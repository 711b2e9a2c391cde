"""Everything the site knows about one person, for that person: their right, as one JSON file."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from webapp.accounts.models import AccessToken, User
from webapp.auditlog.kinds import ActKind
from webapp.auditlog.models import Act
from webapp.courses.models import (
    Accommodation,
    Enrolment,
    EnrolmentState,
    Extension,
    Membership,
    Role,
)
from webapp.courses.releases import released_teams
from webapp.evaluations.models import Evaluation
from webapp.gradebook.models import Grade, ManualPoints, RegradeRequest
from webapp.gradebook.points import own_points
from webapp.ladders.models import LadderEntry
from webapp.lti.models import Score
from webapp.notifications.models import Notification
from webapp.notifications.services import switches
from webapp.playing.models import HumanGame
from webapp.submissions.models import KeptUpload, RefusedUpload, Submission, SubmissionQuerySet
from webapp.tournaments.models import Participant, Stage

Rows: TypeAlias = Iterable[Mapping[str, Any]]


def everything_about(user: User) -> str:
    """Account, enrolments, teams, submissions, evaluations, grades, tournaments, ladders. No one
    else's data: partners appear only through what the team submitted."""
    teams = [membership.team_id for membership in Membership.objects.filter(user=user)]
    content = {
        "account": account(user),
        "access_tokens": access_tokens(user),
        "signs_in_with": identities(user),
        "second_factors": second_factors(user),
        "e_mails": e_mails(user),
        "enrolments": enrolments(user),
        "teams": memberships(user),
        "extensions": extensions(user, teams),
        "accommodations": accommodations(user),
        "submissions": submissions(user),
        "kept_uploads": kept_uploads(user),
        "refused_uploads": refused_uploads(user),
        "evaluations": evaluations(uploads_of(user)),
        "grades": grades(uploads_of(user)),
        "points_sent_to_platforms": sent_points(user),
        "points_by_hand": points_by_hand(user),
        "regrade_requests": regrade_requests(user),
        "audit_log": acts(user),
        "tournaments": tournaments(uploads_of(user)),
        "ladders": ladders(uploads_of(user)),
        "games_with_agents": human_games(user),
    }
    return json.dumps(content, indent=2, cls=DjangoJSONEncoder, ensure_ascii=False)


def refused_uploads(user: User) -> list[datetime]:
    """Return the times of their recently refused uploads."""
    return list(RefusedUpload.objects.filter(user=user).values_list("at", flat=True))


def account(user: User) -> dict[str, Any]:
    """The account itself, without the password's hash."""
    return {
        "email": user.email,
        "name": user.display_name,
        "time_zone": user.time_zone,
        "registered": user.date_joined,
        "last_signed_in": user.last_login,
        "password_link_last_mailed": user.reset_mailed_at,
    }


def e_mails(user: User) -> dict[str, Any]:
    """Return the e-mails sent to them, and the topics they switched off."""
    rows = Notification.objects.filter(user=user)
    return {
        "switched_off": [topic for topic, is_on in switches(user, is_staff=True) if not is_on],
        "sent": list(rows.values("topic", "subject", "created_at", "sent_at")),
    }


def access_tokens(user: User) -> Rows:
    """Names, scopes and times of their access tokens."""
    rows = AccessToken.objects.filter(user=user)
    return list(rows.values("name", "scope", "created_at", "expires_at", "last_used_at"))


def identities(user: User) -> Rows:
    """Keys by which providers and learning platforms name the person."""
    rows = SocialAccount.objects.filter(user=user).order_by("pk")
    return list(rows.values("provider", "uid", "date_joined", "last_login"))


def second_factors(user: User) -> Rows:
    """Authenticators by kind, without their secrets."""
    rows = Authenticator.objects.filter(user=user).order_by("pk")
    return list(rows.values("type", "created_at", "last_used_at"))


def sent_points(user: User) -> Rows:
    """Points that learning platforms were told, or are to be."""
    rows = Score.objects.filter(user=user).order_by("pk")
    names = ("link__linked_course__platform__name", "link__assignment__title")
    return list(rows.values(*names, "points", "maximum", "comment", "shown", "state", "sent_at"))


def enrolments(user: User) -> Rows:
    """Courses and roles."""
    rows = Enrolment.objects.filter(user=user)
    names = ("pk", "course__title", "role", "state", "student_number", "section__name", "joined_at")
    more: dict[int, list[str]] = {}
    for pk, name in rows.exclude(more_sections=None).values_list("pk", "more_sections__name"):
        more.setdefault(pk, []).append(name)
    return [{**row, "more_sections": more.get(row.pop("pk"), [])} for row in rows.values(*names)]


def acts(user: User) -> Rows:
    """Return the audit log's entries on the person, and on their acts as staff.

    Not those on points, which may be held: ``grades``, ``points_by_hand`` and
    ``regrade_requests`` have what is released. An upload or a partner may change points of others.
    """
    kinds = [ActKind.POINTS_GIVEN.name_kept, ActKind.REGRADE_ANSWERED.name_kept]
    on_points = Q(person=user, kind__in=kinds) & ~Q(by=user)
    changed = Q(kind=ActKind.GRADE_CHANGED.name_kept)
    rows = Act.objects.filter(Q(person=user) | Q(by=user)).exclude(on_points | changed)
    return list(
        rows.order_by("pk").values(
            "at", "kind", "course__title", "thing", "before", "after", "reason"
        )
    )


def memberships(user: User) -> Rows:
    """Teams and their names on leaderboards."""
    rows = Membership.objects.filter(user=user)
    return list(rows.values("assignment__title", "team__name", "team__alias", "joined_at"))


def extensions(user: User, teams: list[int]) -> Rows:
    """More time that the person or those teams were given, and why."""
    rows = Extension.objects.filter(Q(team__in=teams) | Q(user=user)).order_by("pk")
    return list(rows.values("assignment__title", "due_at", "reason", "granted_at"))


def accommodations(user: User) -> Rows:
    """More of the usual time that they were given in their courses, and why."""
    rows = Accommodation.objects.filter(enrolment__user=user).order_by("pk")
    return list(rows.values("enrolment__course__title", "time_percent", "reason", "granted_at"))


def uploads_of(user: User) -> SubmissionQuerySet:
    """Return the person's own uploads, and those of their teams while they were in the course."""
    course = OuterRef("team__assignment__course")
    places = Enrolment.objects.filter(user=user, course=course)
    left = Act.objects.filter(kind=ActKind.STATE_CHANGED.name_kept, person=user, course=course)
    last_left = Coalesce(Subquery(left.order_by("-pk").values("at")[:1]), timezone.now())
    is_gone = Exists(places.exclude(state=EnrolmentState.ACTIVE))
    in_team = Exists(Membership.objects.filter(team=OuterRef("team"), user=user))
    # What staff upload for a team is that team's.
    own = Q(Exists(places.filter(role=Role.STUDENT)), uploaded_by=user)
    return Submission.objects.filter(
        own | Q(in_team) & ~(Q(is_gone) & Q(uploaded_at__gt=last_left))
    )


def submissions(user: User) -> Rows:
    """Return those uploads with the checks; a partner is only "not me"."""
    names = ("number", "uploaded_at", "filename", "interface", "sha256", "size_bytes", "status")
    texts = ("messages", "notes")
    by_me = ExpressionWrapper(Q(uploaded_by=user), output_field=BooleanField())
    rows = uploads_of(user).order_by("pk").annotate(by_me=by_me)
    return list(rows.values("team__assignment__title", "by_me", *names, *texts))


def kept_uploads(user: User) -> Rows:
    """Files that are kept for them for an hour, since their session had ended."""
    rows = KeptUpload.objects.filter(user=user).order_by("pk")
    return list(rows.values("assignment__title", "filename", "interface", "agent_class", "at"))


def evaluations(uploads: QuerySet[Submission]) -> Rows:
    """Return the results of those uploads, without graded games whose grades are held."""
    rows = Evaluation.objects.released().filter(submission__in=uploads).order_by("pk")
    figures = ("n_games", "games_done", "mean", "low", "high", "lost", "faults", "histogram")
    names = ("kind", "interface", "status", "verdict", "requested_at", "finished_at", *figures)
    return list(rows.values("assignment__title", "submission__number", *names))


def grades(uploads: QuerySet[Submission]) -> Rows:
    """Points that are released, superseded ones included."""
    rows = Grade.objects.filter(evaluation__submission__in=uploads)
    rows = rows.filter(team__in=released_teams()).order_by("pk")
    points = ("points", "full_points", "penalty_percent", "reason")
    return list(rows.values("team__assignment__title", "mean", *points, "graded_at", "is_current"))


def points_by_hand(user: User) -> Rows:
    """Return points and comments that staff entered by hand and that are released."""
    rows = ManualPoints.objects.filter(user=user).select_related("assignment__course")
    shown = own_points(user, {row.assignment for row in rows})
    names = ("assignment__title", "points", "replaces", "comment", "reason", "given_at")
    return list(rows.filter(assignment__in=shown).order_by("pk").values(*names))


def regrade_requests(user: User) -> Rows:
    """Return regrade requests and answers on released grades."""
    rows = RegradeRequest.objects.filter(user=user).select_related("assignment__course")
    shown = own_points(user, {row.assignment for row in rows})
    names = ("text", "asked_at", "points", "outcome", "answer", "answered_at")
    released = rows.filter(assignment__in=shown).order_by("pk")
    return list(released.values("assignment__title", *names))


def tournaments(uploads: QuerySet[Submission]) -> Rows:
    """Return the tournaments of those uploads, except hidden ones."""
    rows = Participant.objects.filter(submission__in=uploads)
    seen = rows.exclude(tournament__stage=Stage.HIDDEN).order_by("pk")
    out = ("excluded_from_round", "exclusion_reason", "excluded_at")
    return list(seen.values("tournament__title", "submission__number", "number", "name", *out))


def ladders(uploads: QuerySet[Submission]) -> Rows:
    """Return the ladders that those uploads were on, and when."""
    rows = LadderEntry.objects.filter(submission__in=uploads).order_by("pk")
    when = ("entered_at", "departure", "left_at")
    return list(rows.values("ladder__assignment__title", "submission__number", "version", *when))


def human_games(user: User) -> Rows:
    """Games that they played with agents, as long as those are kept."""
    rows = HumanGame.objects.filter(person=user).order_by("pk")
    names = ("seat", "seats", "options", "actions", "status", "created_at", "acted_at", "ended_at")
    return list(rows.values("assignment__title", "game", *names))
