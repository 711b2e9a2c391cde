"""Registers the app, and has its broker's connections ask whose Redis it is."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """The app of jobs for graders."""

    name = "webapp.grading.jobs"
    label = "jobs"

    def ready(self) -> None:
        from webapp.base.celery import app
        from webapp.grading.jobs.identity import find_own_site

        app.conf.broker_transport_options["find_site"] = find_own_site
