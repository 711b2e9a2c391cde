"""Registers the app."""

from django.apps import AppConfig


class GradersConfig(AppConfig):
    """The app of graders' keys."""

    name = "webapp.graders"
    label = "graders"
