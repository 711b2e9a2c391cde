"""The admin's view of evaluations and of what became of their batches."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.evaluations.models import Audit, Batch, Evaluation


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


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    """Where a batch is, and why it is not further."""

    list_display = (
        "uuid",
        "evaluation",
        "tournament",
        "n_games",
        "attempt",
        "status",
        "send_after",
        "sent_at",
        "lease_until",
        "worker",
    )
    list_filter = ("status", "attempt", "evaluation__kind")
    list_select_related = ("evaluation__submission__team", "tournament")
    readonly_fields = ("uuid",)
    search_fields = ("uuid", "evaluation__uuid", "tournament__uuid")


@admin.register(Audit)
class AuditAdmin(ReadOnlyAdmin):
    """Replay audits: how far, how many flags, and why one failed."""

    list_display = (
        "uuid",
        "evaluation",
        "n_games",
        "status",
        "attempt",
        "flags",
        "created_at",
        "finished_at",
    )
    list_filter = ("status", "attempt")
    list_select_related = ("evaluation__submission__team",)
    readonly_fields = ("uuid",)
    search_fields = ("uuid", "evaluation__uuid")
