"""The admin's view of retention and of kept grades."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.lifecycle.models import GradeRecord, Retention

DAYS = ("sources_days", "records_days", "prints_days", "logs_days")


@admin.register(Retention)
class RetentionAdmin(ReadOnlyAdmin):
    """Retention periods, by course."""

    list_display = ("course", *DAYS)


@admin.register(GradeRecord)
class GradeRecordAdmin(ReadOnlyAdmin):
    """Grades of deleted courses."""

    list_display = ("course", "term", "assignment", "team", "points", "graded_at")
    list_filter = ("course", "term")
