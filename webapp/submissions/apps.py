"""Registers the app."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    """Uploads."""

    name = "webapp.submissions"
    label = "submissions"
