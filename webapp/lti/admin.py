"""The admin's view of learning platforms: operators register them here."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import URLField

from webapp.admin import ReadOnlyAdmin
from webapp.auditlog.admin import RecordedAdmin
from webapp.lti.models import LinkedCourse, Platform


@admin.register(Platform)
class PlatformAdmin(RecordedAdmin):
    """Data that a platform's administrator hands out once Firebox is registered there."""

    list_display = ("name", "issuer", "client_id", "is_active")
    list_filter = ("is_active",)
    formfield_overrides: ClassVar[dict[Any, Any]] = {URLField: {"assume_scheme": "https"}}


@admin.register(LinkedCourse)
class LinkedCourseAdmin(ReadOnlyAdmin):
    """Links between courses of platforms and ours."""

    list_display = ("platform", "title", "course", "linked_by", "linked_at")
    list_select_related = ("platform", "course", "linked_by")
