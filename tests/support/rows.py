"""All that a database holds."""

from django.apps import apps


def every_row() -> dict[str, list[dict[str, object]]]:
    """Return the rows of every table, in the order of their keys."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
    }
