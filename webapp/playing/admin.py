"""The admin's view of people's games."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.playing.models import HumanGame


@admin.register(HumanGame)
class HumanGameAdmin(ReadOnlyAdmin):
    """The progress of games. Deals and actions are private to the player."""

    list_display = ("uuid", "assignment", "status", "turns", "created_at", "acted_at")
    list_filter = ("status", "assignment")
    exclude = ("deal_seed", "actions", "printed", "fault")
    readonly_fields = ("uuid",)
    search_fields = ("uuid",)
    date_hierarchy = "created_at"
