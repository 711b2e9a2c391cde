"""The admin's view of the audit log."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.auditlog.models import Act


@admin.register(Act)
class ActAdmin(ReadOnlyAdmin):
    """One act."""

    list_display = ("at", "kind", "by", "course", "person", "thing", "reason")
    list_select_related = ("by", "course", "person")
    list_filter = ("kind",)
