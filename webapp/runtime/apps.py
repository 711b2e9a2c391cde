"""Registers the project itself: system checks, management commands, who answers for jobs."""

from django.apps import AppConfig
from django.core.validators import validate_email


class WebappConfig(AppConfig):
    """The site as a whole."""

    name = "webapp.runtime"
    label = "site"

    def ready(self) -> None:
        """Register what Django and jobs look for, and spell e-mail as all pages do."""
        from webapp.flow import pipeline
        from webapp.runtime import checks  # models cannot be imported before

        del checks
        validate_email.message = "Enter a valid e-mail address."  # of forms and models alike
        pipeline.register_owners()
