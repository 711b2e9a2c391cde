"""The admin's view of ladders."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.ladders.models import Ladder


@admin.register(Ladder)
class LadderAdmin(ReadOnlyAdmin):
    """The ladders, read-only: they are changed by buttons on the site."""

    list_display = ("assignment", "opened_at", "paused_at", "closed_at", "n_games")
    list_filter = ("assignment",)
    exclude = ("secret", "standings_json")
    readonly_fields = ("uuid",)
    search_fields = ("uuid",)
