"""The admin: operators read rows here, services write them. The few rows that can be changed here
are changed into the audit log."""

from typing import Any, ClassVar, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model, URLField
from django.forms import BaseInlineFormSet, ModelForm
from django.http import HttpRequest
from django.utils import timezone

from webapp.contests.ladders.models import Ladder
from webapp.contests.playing.models import HumanGame
from webapp.contests.tournaments.models import Tournament, TournamentAudit
from webapp.flow.lifecycle.models import GradeRecord, Retention
from webapp.flow.lti.models import LinkedCourse, Platform
from webapp.grading.evaluations.models import Audit, Evaluation
from webapp.grading.gradebook.models import Grade
from webapp.grading.graders.models import GraderKey
from webapp.grading.jobs.models import Job
from webapp.grading.operations.models import Grader
from webapp.grading.similarity.models import Comparison
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.identities import confirm_address, has_confirmed_address
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import record
from webapp.people.notifications.models import Notification
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Membership, Team
from webapp.teaching.courses.services.staff import secure_staff

_RIGHTS: Final = ("may_create_courses", "is_staff", "is_superuser")

# Secrets of second factors, and providers that no setting names: neither is for the admin.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


# --- Rows that operators only read ----------------------------------------------------------------


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Rows that are immutable, or that transitions change."""

    def has_add_permission(self, *_: Any, **__: Any) -> bool:
        return False

    def has_change_permission(self, *_: Any, **__: Any) -> bool:
        return False

    def has_delete_permission(self, *_: Any, **__: Any) -> bool:
        return False


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]  # not generic at run time
    """Members of a team. Students join by code."""

    model = Membership
    extra = 0
    can_delete = False
    fields = ("user", "joined_at")
    readonly_fields = fields

    def has_add_permission(self, *_: Any) -> bool:
        return False


def _show(
    model: type[Model],
    columns: str,
    *,
    filters: str = "",
    search: str = "",
    related: str = "",
    hidden: str = "",
    fixed: str = "",
    **options: Any,
) -> None:
    """Register a model read-only, by the names of its columns.

    ``hidden``: secrets, and texts that nobody reads. ``fixed``: columns that no form would show.
    """
    given = {
        "list_display": columns,
        "list_filter": filters,
        "search_fields": search,
        "list_select_related": related,
        "exclude": hidden,
        "readonly_fields": fixed,
    }
    names = {option: tuple(text.split()) for option, text in given.items() if text}
    admin.site.register(model, ReadOnlyAdmin, **names, **options)


_show(
    Act,
    "at kind by course person thing reason",
    filters="kind",
    related="by course person",
)
_show(Announcement, "posted_at course title posted_by", filters="course", search="title text")
_show(
    Assignment,
    "title course game due_at leaderboard secret_revealed_at",
    filters="course game",
    search="title slug",
    hidden="secret practice_secret",
    fixed="commitment secret_revealed_at created_at",
)
_show(
    Audit,
    "uuid evaluation n_games status flags created_at finished_at",
    filters="status",
    search="uuid evaluation__uuid",
    related="evaluation__submission__team",
    fixed="uuid",
)
_show(
    Comparison,
    "assignment requested_by requested_at done finished_at",
    related="assignment requested_by",
    hidden="own earlier",
    date_hierarchy="requested_at",
)
_show(
    Evaluation,
    "agent_name kind status verdict games_done n_games faults mean requested_at finished_at",
    filters="kind status verdict assignment",
    search="uuid house_agent submission__team__name",
    related="submission__team",
    fixed="uuid",
    date_hierarchy="requested_at",
)
_show(
    Grade,
    "team points mean graded_at is_current",
    filters="is_current team__assignment",
    search="team__name",
    related="team",
)
_show(GradeRecord, "course term assignment team points graded_at", filters="course term")
_show(Grader, "name seen_at is_healthy", filters="is_healthy", search="name")
_show(
    GraderKey,
    "name fingerprint first_seen_at admitted_at admitted_by",
    search="name public_key",
)
_show(
    HumanGame,
    "uuid assignment status turns created_at acted_at",
    filters="status assignment",
    search="uuid",
    hidden="deal_seed actions printed fault",  # private to the player
    fixed="uuid",
    date_hierarchy="created_at",
)
_show(
    Job,
    "uuid queue owner n_games attempt status send_after sent_at lease_until worker",
    filters="status attempt queue",
    search="uuid claimed_by evaluation__uuid tournament__uuid audit__uuid tournament_audit__uuid"
    " ladder__uuid",
    related="evaluation__submission__team tournament audit tournament_audit ladder human_game",
    fixed="uuid",
)
_show(
    Ladder,
    "assignment opened_at paused_at closed_at n_games",
    filters="assignment",
    search="uuid",
    hidden="secret standings_json",
    fixed="uuid",
)
_show(
    LinkedCourse,
    "platform title course linked_by linked_at",
    related="platform course linked_by",
)
_show(
    Notification,
    "created_at topic user subject sent_at attempts error",
    filters="topic",
    search="user__email subject",
)
_show(Retention, "course sources_days records_days prints_days logs_days")
_show(
    Submission,
    "team number uploaded_by uploaded_at interface status",
    filters="status interface team__assignment",
    search="team__name sha256 filename",
    related="team uploaded_by",
    date_hierarchy="uploaded_at",
)
_show(
    Team,
    "name assignment alias extended_due_at",
    filters="assignment",
    search="name alias",
    fixed="alias created_at",
    inlines=(MembershipInline,),
)
_show(
    Tournament,
    "title assignment status stage games_done n_games faults",
    filters="status stage assignment",
    search="uuid title",
    hidden="secret standings_json cross_play_json",
    fixed="uuid",
    date_hierarchy="requested_at",
)
_show(
    TournamentAudit,
    "uuid participant n_games status flags created_at",
    filters="status",
    search="uuid participant__tournament__uuid",
    related="participant",
    fixed="uuid",
)


# --- Rows that operators may change ---------------------------------------------------------------


class RecordedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Rows of which each change is an act."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        _record(ActKind.RECORD_ADDED, request, obj, message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        _record(ActKind.RECORD_CHANGED, request, obj, message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for row in queryset:
            _record(ActKind.RECORD_DELETED, request, row, "")
        return super().log_deletions(request, queryset)


def _record(kind: ActKind, request: HttpRequest, row: Model, message: object) -> None:
    """Write names of fields, no values: an account's are its owner's."""
    record(
        kind,
        by=request.user if request.user.is_authenticated else None,
        thing=f"{row._meta.verbose_name} {row.pk}",
        after={"changed": message} if message else {},
    )


@admin.register(Platform)
class PlatformAdmin(RecordedAdmin):
    """Data that a platform's administrator hands out once Firebox is registered there."""

    list_display = ("name", "issuer", "client_id", "is_active")
    list_filter = ("is_active",)
    formfield_overrides: ClassVar[dict[Any, Any]] = {URLField: {"assume_scheme": "https"}}


class EnrolmentInline(admin.TabularInline):  # type: ignore[type-arg]  # not generic at run time
    """People in a course; operators may correct roles and student numbers."""

    model = Enrolment
    extra = 0
    autocomplete_fields = ("user",)
    fields = ("user", "role", "student_number")


@admin.register(Course)
class CourseAdmin(RecordedAdmin):
    """Courses and who is in them."""

    list_display = ("title", "term", "slug", "timezone", "created_at")
    search_fields = ("title", "slug")
    readonly_fields = ("invite_code", "created_at")
    inlines = (EnrolmentInline,)

    @transaction.atomic
    def save_formset(
        self,
        request: HttpRequest,
        form: "ModelForm[Course]",
        formset: "BaseInlineFormSet[Any, Any, Any]",
        change: bool,  # noqa: FBT001 - Django's own
    ) -> None:
        """Save people's roles by the same rule as everywhere."""
        super().save_formset(request, form, formset, change)
        written = [*formset.new_objects, *(row for row, fields in formset.changed_objects
                                           if {"role", "user"} & {*fields})]  # fmt: skip
        if isinstance(request.user, User):
            secure_staff(
                course=form.instance,
                people=[enrolment.user_id for enrolment in written],
                by=request.user,
                at=timezone.now(),
            )


class RightsForm(UserChangeForm):  # type: ignore[type-arg]  # not generic at run time
    """Refuses rights for an account whose address nobody has confirmed."""

    def clean(self) -> dict[str, Any]:
        """Compare the rights with those before: the account is not changed yet."""
        cleaned = super().clean() or {}
        given = [name for name in _RIGHTS if cleaned.get(name) and not getattr(self.instance, name)]
        if given and not has_confirmed_address(self.instance):
            raise ValidationError(
                "Nobody has confirmed the address of this account, so another person may have"
                " registered it. Its owner confirms it on the profile page, or with “Forgotten"
                " your password?”; give the rights after that."
            )
        return cleaned


@admin.register(User)
class UserAdmin(RecordedAdmin, DjangoUserAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Operators may correct names and addresses, switch accounts off and set passwords."""

    form = RightsForm
    add_form = AdminUserCreationForm
    ordering = ("email",)
    list_display = ("email", "display_name", "may_create_courses", "is_active", "is_staff")
    list_filter = ("may_create_courses", "is_active", "is_staff")
    search_fields = ("email", "display_name")
    readonly_fields = ("date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("email", "display_name", "password")}),
        ("Rights", {"fields": ("is_active", "may_create_courses", "is_staff", "is_superuser")}),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "display_name", "usable_password", "password1", "password2")}),
    )
    filter_horizontal = ()

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's own
        """Take the operator's word for the address of a new account, as on the command line."""
        super().save_model(request, obj, form, change)
        if not change:
            confirm_address(obj)
