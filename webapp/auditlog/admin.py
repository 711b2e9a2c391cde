"""The admin's view of the audit log, and the log of what operators change in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from webapp.admin import ReadOnlyAdmin
from webapp.auditlog.kinds import ActKind
from webapp.auditlog.models import Act
from webapp.auditlog.services import record

__all__ = ["ActAdmin", "RecordedAdmin"]


class RecordedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """The base for records that operators may change: each change is an act."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Record an added row."""
        _record(ActKind.RECORD_ADDED, request, obj, message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Record a changed row."""
        _record(ActKind.RECORD_CHANGED, request, obj, message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Record a deleted row."""
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


@admin.register(Act)
class ActAdmin(ReadOnlyAdmin):
    """One act."""

    list_display = ("at", "kind", "by", "course", "person", "thing", "reason")
    list_select_related = ("by", "course", "person")
    list_filter = ("kind",)
