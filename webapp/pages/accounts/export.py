"""Everything the site knows about one person, for that person: JSON, or a zip with programs."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
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
from django.utils.text import get_valid_filename

from webapp.contests.ladders.models import LadderEntry
from webapp.contests.playing.models import HumanGame
from webapp.contests.tournaments.models import Participant, Stage
from webapp.flow.lti.models import Score
from webapp.grading.evaluations.models import Draft, Evaluation
from webapp.grading.evaluations.services.drafts import files_of
from webapp.grading.gradebook.models import Grade, ManualPoints, RegradeRequest
from webapp.grading.gradebook.points import own_points
from webapp.grading.submissions.models import (
    KeptUpload,
    RefusedUpload,
    Submission,
    SubmissionQuerySet,
)
from webapp.grading.submissions.selectors import archive as read_upload
from webapp.people.accounts.models import AccessToken, User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification
from webapp.people.notifications.services import switches
from webapp.teaching.courses.models import (
    Accommodation,
    Enrolment,
    EnrolmentState,
    Extension,
    Membership,
    Role,
)
from webapp.teaching.courses.releases import released_teams

Rows: TypeAlias = Iterable[Mapping[str, Any]]


def everything_about(user: User) -> str:
    """Return all that the site knows about a person, as JSON, and nothing of other people."""
    content = _account(user) | _work(user) | _results(user, uploads_of(user)) | _deeds(user)
    return json.dumps(content, indent=2, cls=DjangoJSONEncoder, ensure_ascii=False)


def _rows(rows: "QuerySet[Any]", names: str) -> Rows:
    return list(rows.values(*names.split()))


def _account(user: User) -> dict[str, Any]:
    tokens = AccessToken.objects.filter(user=user)
    identities = SocialAccount.objects.filter(user=user).order_by("pk")
    factors = Authenticator.objects.filter(user=user).order_by("pk")
    mails = Notification.objects.filter(user=user)
    return {
        "account": {
            "email": user.email,
            "name": user.display_name,
            "time_zone": user.time_zone,
            "registered": user.date_joined,
            "last_signed_in": user.last_login,
            "password_link_last_mailed": user.reset_mailed_at,
        },
        "access_tokens": _rows(tokens, "name scope created_at expires_at last_used_at"),
        "signs_in_with": _rows(identities, "provider uid date_joined last_login"),
        "second_factors": _rows(factors, "type created_at last_used_at"),
        "e_mails": {
            "switched_off": [topic for topic, is_on in switches(user, is_staff=True) if not is_on],
            "sent": _rows(mails, "topic subject created_at sent_at"),
        },
    }


def _work(user: User) -> dict[str, Any]:
    """Return enrolments, teams, time that was granted, and uploads; a partner is "not me"."""
    memberships = Membership.objects.filter(user=user)
    extensions = Extension.objects.filter(Q(team__in=memberships.values("team")) | Q(user=user))
    accommodations = Accommodation.objects.filter(enrolment__user=user).order_by("pk")
    by_me = ExpressionWrapper(Q(uploaded_by=user), output_field=BooleanField())
    kept = KeptUpload.objects.filter(user=user).order_by("pk")
    refused = RefusedUpload.objects.filter(user=user)
    drafts = Draft.objects.filter(author=user).order_by("pk")
    return {
        "enrolments": _enrolments(user),
        "teams": _rows(memberships, "assignment__title team__name team__alias joined_at"),
        "extensions": _rows(
            extensions.order_by("pk"), "assignment__title due_at reason granted_at"
        ),
        "accommodations": _rows(
            accommodations, "enrolment__course__title time_percent reason granted_at"
        ),
        "submissions": _rows(
            uploads_of(user).order_by("pk").annotate(by_me=by_me),
            "team__assignment__title by_me number uploaded_at filename interface sha256 size_bytes"
            " status messages notes",
        ),
        "kept_uploads": _rows(kept, "assignment__title filename interface agent_class at"),
        "drafts": _rows(drafts, "assignment__title interface edited_at"),
        "refused_uploads": list(refused.values_list("at", flat=True)),
    }


def _results(user: User, uploads: QuerySet[Submission]) -> dict[str, Any]:
    """Return evaluations and points, as far as they are released, superseded ones included."""
    evaluations = Evaluation.objects.released().filter(submission__in=uploads).order_by("pk")
    grades = Grade.objects.filter(evaluation__submission__in=uploads, team__in=released_teams())
    sent = Score.objects.filter(user=user).order_by("pk")
    return {
        "evaluations": _rows(
            evaluations,
            "assignment__title submission__number kind interface status verdict requested_at"
            " finished_at n_games games_done mean low high lost faults histogram",
        ),
        "grades": _rows(
            grades.order_by("pk"),
            "team__assignment__title mean points full_points penalty_percent reason graded_at"
            " is_current",
        ),
        "points_sent_to_platforms": _rows(
            sent,
            "link__linked_course__platform__name link__assignment__title points maximum comment"
            " shown state sent_at",
        ),
        "points_by_hand": _rows(
            _shown(user, ManualPoints.objects.filter(user=user)),
            "assignment__title points replaces comment reason given_at",
        ),
        "regrade_requests": _rows(
            _shown(user, RegradeRequest.objects.filter(user=user)),
            "assignment__title text asked_at points outcome answer answered_at",
        ),
    }


def _shown(user: User, rows: "QuerySet[Any]") -> "QuerySet[Any]":
    """Leave the rows of assignments whose points the person may see."""
    assignments = {row.assignment for row in rows.select_related("assignment__course")}
    return rows.filter(assignment__in=own_points(user, assignments)).order_by("pk")


def _deeds(user: User) -> dict[str, Any]:
    """Return acts, and games in tournaments that are not hidden, on ladders and with agents."""
    uploads = uploads_of(user)
    entered = Participant.objects.filter(submission__in=uploads)
    seen = entered.exclude(tournament__stage=Stage.HIDDEN).order_by("pk")
    climbed = LadderEntry.objects.filter(submission__in=uploads).order_by("pk")
    played = HumanGame.objects.filter(person=user).order_by("pk")
    return {
        "audit_log": _acts(user),
        "tournaments": _rows(
            seen,
            "tournament__title submission__number number name excluded_from_round exclusion_reason"
            " excluded_at",
        ),
        "ladders": _rows(
            climbed,
            "ladder__assignment__title submission__number version entered_at departure left_at",
        ),
        "games_with_agents": _rows(
            played,
            "assignment__title game seat seats options actions status created_at acted_at ended_at",
        ),
    }


def _enrolments(user: User) -> Rows:
    rows = Enrolment.objects.filter(user=user)
    names = ("pk", "course__title", "role", "state", "student_number", "section__name", "joined_at")
    more: dict[int, list[str]] = {}
    for pk, name in rows.exclude(more_sections=None).values_list("pk", "more_sections__name"):
        more.setdefault(pk, []).append(name)
    return [{**row, "more_sections": more.get(row.pop("pk"), [])} for row in rows.values(*names)]


def _acts(user: User) -> Rows:
    """Return the audit log's entries on the person, and on their acts as staff.

    Not those on points, which may be held: ``_results`` has what is released. An
    upload or a partner may change points of others.
    """
    kinds = [ActKind.POINTS_GIVEN.name_kept, ActKind.REGRADE_ANSWERED.name_kept]
    on_points = Q(person=user, kind__in=kinds) & ~Q(by=user)
    changed = Q(kind=ActKind.GRADE_CHANGED.name_kept)
    rows = Act.objects.filter(Q(person=user) | Q(by=user)).exclude(on_points | changed)
    return _rows(rows.order_by("pk"), "at kind course__title thing before after reason")


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


def archive_about(user: User) -> bytes:
    """Return the zip of ``everything.json``, programs and a manifest. Raises SystemFault."""
    data, listed = io.BytesIO(), []
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(user):
            archive.writestr(name, content)
            digest = hashlib.sha256(content).hexdigest()
            listed.append({"name": name, "bytes": len(content), "sha256": digest})
        manifest = {"about": user.email, "made_at": timezone.now().isoformat(), "files": listed}
        archive.writestr("manifest.json", json.dumps(manifest, indent=2))
    return data.getvalue()


def _files(user: User) -> Iterator[tuple[str, bytes]]:
    yield "everything.json", everything_about(user).encode()
    uploads = uploads_of(user).with_sources()
    # A team's programs are not handed out once the person has left the course; their own are.
    visible = Q(uploaded_by=user) | Q(pk__in=Submission.objects.visible_to(user).values("pk"))
    for upload in uploads.filter(visible).select_related("team__assignment__course").order_by("pk"):
        assignment = upload.team.assignment
        folder = f"programs/{assignment.course.slug}/{assignment.slug}"
        yield f"{folder}/submission-{upload.number}.zip", read_upload(upload)
    kept = KeptUpload.objects.filter(user=user).select_related("assignment__course").order_by("pk")
    for file in kept:
        folder = f"kept/{file.assignment.course.slug}/{file.assignment.slug}"
        yield f"{folder}/{get_valid_filename(file.filename)}", bytes(file.data)
    drafts = Draft.objects.filter(author=user).select_related("assignment__course").order_by("pk")
    for draft in drafts:
        folder = f"drafts/{draft.assignment.course.slug}/{draft.assignment.slug}"
        for name, content in files_of(draft).items():
            yield f"{folder}/{draft.pk}/{name}", content
