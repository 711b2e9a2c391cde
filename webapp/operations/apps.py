"""Registers the app."""

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """Graders."""

    name = "webapp.operations"
    label = "operations"
