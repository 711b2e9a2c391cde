"""The admin's view of uploads."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.submissions.models import Submission


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    """Uploads are immutable."""

    list_display = ("team", "number", "uploaded_by", "uploaded_at", "interface", "status")
    list_filter = ("status", "interface", "team__assignment")
    list_select_related = ("team", "uploaded_by")
    search_fields = ("team__name", "sha256", "filename")
    date_hierarchy = "uploaded_at"
