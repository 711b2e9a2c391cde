"""Registers the app."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """What is sent to graders."""

    name = "webapp.jobs"
    label = "jobs"
