"""The base of our admin pages: operators read, services write."""

from typing import Any

from django.contrib import admin


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """For rows that must not be edited by hand: immutable ones, and those that transitions
    change."""

    def has_add_permission(self, *_: Any, **__: Any) -> bool:
        """Rows come from services."""
        return False

    def has_change_permission(self, *_: Any, **__: Any) -> bool:
        """Reading needs only the right to view."""
        return False

    def has_delete_permission(self, *_: Any, **__: Any) -> bool:
        """Refuse: nothing is deleted here."""
        return False
