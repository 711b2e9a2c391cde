"""The admin's view of comparisons."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.similarity.models import Comparison


@admin.register(Comparison)
class ComparisonAdmin(ReadOnlyAdmin):
    """Comparisons by assignment."""

    list_display = ("assignment", "requested_by", "requested_at", "done", "finished_at")
    list_select_related = ("assignment", "requested_by")
    exclude = ("own", "earlier")
    date_hierarchy = "requested_at"
