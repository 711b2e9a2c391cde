"""Registers the app."""

from django.apps import AppConfig


class GradersConfig(AppConfig):
    """Keys of graders."""

    name = "webapp.graders"
    label = "graders"
