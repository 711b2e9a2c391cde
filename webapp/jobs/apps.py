"""Registers the app."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """The app of jobs for graders."""

    name = "webapp.jobs"
    label = "jobs"
