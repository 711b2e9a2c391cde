"""The admin's view of tournaments."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.tournaments.models import Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments with their progress; the buttons to change them are on the site."""

    list_display = ("title", "assignment", "status", "stage", "games_done", "n_games", "faults")
    list_filter = ("status", "stage", "assignment")
    exclude = ("secret", "standings_json", "cross_play_json")
    readonly_fields = ("uuid",)
    search_fields = ("uuid", "title")
    date_hierarchy = "requested_at"
