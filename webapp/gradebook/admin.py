"""The admin's view of grades."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.gradebook.models import Grade


@admin.register(Grade)
class GradeAdmin(ReadOnlyAdmin):
    """Grades come from evaluations and are never edited."""

    list_display = ("team", "points", "mean", "graded_at", "is_current")
    list_filter = ("is_current", "team__assignment")
    list_select_related = ("team",)
    search_fields = ("team__name",)
