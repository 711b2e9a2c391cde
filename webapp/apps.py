"""Registers the project itself: system checks and management commands."""

from django.apps import AppConfig


class WebappConfig(AppConfig):
    """The site as a whole."""

    name = "webapp"
    label = "site"

    def ready(self) -> None:
        """Django finds checks when their module is imported."""
        from webapp import checks  # noqa: F401
