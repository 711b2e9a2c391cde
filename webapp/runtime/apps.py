"""Registers the project itself: system checks, management commands, who answers for jobs."""

from django.apps import AppConfig
from django.core.validators import validate_email

from grader.core.games import remember_games


class WebappConfig(AppConfig):
    """The site as a whole."""

    name = "webapp.runtime"
    label = "site"

    def ready(self) -> None:
        """Register what Django and jobs look for, and spell e-mail as all pages do."""
        from webapp.flow import pipeline
        from webapp.runtime import checks  # models cannot be imported before
        from webapp.teaching.courses.models import find_missing

        del checks
        validate_email.message = "Enter a valid e-mail address."  # of forms and models alike
        pipeline.register_owners()
        remember_games(find_missing)
