"""Registers the app."""

from django.apps import AppConfig


class GradebookConfig(AppConfig):
    """Grades."""

    name = "webapp.gradebook"
    label = "gradebook"
