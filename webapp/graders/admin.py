"""The admin's view of graders' keys."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.graders.models import GraderKey


@admin.register(GraderKey)
class GraderKeyAdmin(ReadOnlyAdmin):
    """Read-only: operators admit and dismiss graders on the page *Graders*."""

    list_display = ("name", "fingerprint", "first_seen_at", "admitted_at", "admitted_by")
    search_fields = ("name", "public_key")
