"""Registers the project itself: system checks, management commands, who answers for jobs."""

from django.apps import AppConfig


class WebappConfig(AppConfig):
    """The site as a whole."""

    name = "webapp.runtime"
    label = "site"

    def ready(self) -> None:
        """Django finds checks when their module is imported."""
        from webapp.flow import pipeline
        from webapp.runtime import checks  # models cannot be imported before

        del checks
        pipeline.register_owners()
