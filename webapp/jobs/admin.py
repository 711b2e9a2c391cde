"""The admin's view of the jobs for graders."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.jobs.models import Job


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Jobs, with their state and the reason why they wait."""

    list_display = (
        "uuid",
        "queue",
        "owner",
        "n_games",
        "attempt",
        "status",
        "send_after",
        "sent_at",
        "lease_until",
        "worker",
    )
    list_filter = ("status", "attempt", "queue")
    list_select_related = (
        "evaluation__submission__team",
        "tournament",
        "audit",
        "tournament_audit",
        "ladder",
        "human_game",
    )
    readonly_fields = ("uuid",)
    search_fields = (
        "uuid",
        "claimed_by",
        "evaluation__uuid",
        "tournament__uuid",
        "audit__uuid",
        "tournament_audit__uuid",
        "ladder__uuid",
    )
