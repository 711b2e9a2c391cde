"""The admin's view of evaluations and audits."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.evaluations.models import Audit, Evaluation


@admin.register(Evaluation)
class EvaluationAdmin(ReadOnlyAdmin):
    """Figures come from games; sending again is a button on the site."""

    list_display = (
        "agent_name",
        "kind",
        "status",
        "verdict",
        "games_done",
        "n_games",
        "faults",
        "mean",
        "requested_at",
        "finished_at",
    )
    list_filter = ("kind", "status", "verdict", "assignment")
    list_select_related = ("submission__team",)
    readonly_fields = ("uuid",)
    search_fields = ("uuid", "house_agent", "submission__team__name")
    date_hierarchy = "requested_at"


@admin.register(Audit)
class AuditAdmin(ReadOnlyAdmin):
    """Replay audits: how far, how many flags, and why one failed."""

    list_display = (
        "uuid",
        "evaluation",
        "n_games",
        "status",
        "flags",
        "created_at",
        "finished_at",
    )
    list_filter = ("status",)
    list_select_related = ("evaluation__submission__team",)
    readonly_fields = ("uuid",)
    search_fields = ("uuid", "evaluation__uuid")
