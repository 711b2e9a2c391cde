"""The admin's view of graders."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.operations.models import Grader


@admin.register(Grader)
class GraderAdmin(ReadOnlyAdmin):
    """Graders, as they report about themselves; the site's own page says more."""

    list_display = ("name", "seen_at", "is_healthy")
    list_filter = ("is_healthy",)
    search_fields = ("name",)
