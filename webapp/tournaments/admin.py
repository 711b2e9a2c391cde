"""The admin's view of tournaments."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.tournaments.models import Tournament, TournamentAudit


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments with their progress; the buttons to change them are on the site."""

    list_display = ("title", "assignment", "status", "stage", "games_done", "n_games", "faults")
    list_filter = ("status", "stage", "assignment")
    exclude = ("secret", "standings_json", "cross_play_json")
    readonly_fields = ("uuid",)
    search_fields = ("uuid", "title")
    date_hierarchy = "requested_at"


@admin.register(TournamentAudit)
class TournamentAuditAdmin(ReadOnlyAdmin):
    """Replay audits of participants: how far, how many flags, and why one failed."""

    list_display = ("uuid", "participant", "n_games", "status", "flags", "created_at")
    list_filter = ("status",)
    list_select_related = ("participant",)
    readonly_fields = ("uuid",)
    search_fields = ("uuid", "participant__tournament__uuid")
