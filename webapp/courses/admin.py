"""The admin's view of courses. Secrets are not shown: operators need none to help."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.forms import BaseInlineFormSet, ModelForm
from django.http import HttpRequest
from django.utils import timezone

from webapp.accounts.models import User
from webapp.admin import ReadOnlyAdmin
from webapp.auditlog.admin import RecordedAdmin
from webapp.courses.models import Assignment, Course, Enrolment, Membership, Team
from webapp.courses.services.staff import secure_staff


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


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    """Assignments, without their secrets."""

    list_display = ("title", "course", "game", "due_at", "leaderboard", "secret_revealed_at")
    list_filter = ("course", "game")
    search_fields = ("title", "slug")
    exclude = ("secret", "practice_secret")
    readonly_fields = ("commitment", "secret_revealed_at", "created_at")


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]  # not generic at run time
    """Members of a team."""

    model = Membership
    extra = 0
    can_delete = False
    fields = ("user", "joined_at")
    readonly_fields = fields

    def has_add_permission(self, *_: Any) -> bool:
        """Students join by code."""
        return False


@admin.register(Team)
class TeamAdmin(ReadOnlyAdmin):
    """Teams; extensions are given on the site."""

    list_display = ("name", "assignment", "alias", "extended_due_at")
    list_filter = ("assignment",)
    search_fields = ("name", "alias")
    readonly_fields = ("alias", "created_at")
    inlines = (MembershipInline,)
