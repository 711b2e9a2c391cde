"""The base of every admin page of ours: operators look, services write."""

from typing import Any

from django.contrib import admin


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """For what must not be edited by hand: immutable rows, and rows that transitions move."""

    def has_add_permission(self, *_: Any, **__: Any) -> bool:
        """Rows come from services."""
        return False

    def has_change_permission(self, *_: Any, **__: Any) -> bool:
        """Looking is allowed by the right to view."""
        return False

    def has_delete_permission(self, *_: Any, **__: Any) -> bool:
        """Nothing is forgotten."""
        return False
