"""Registers the app."""

from django.apps import AppConfig


class LifecycleConfig(AppConfig):
    """The life of courses."""

    name = "webapp.lifecycle"
    label = "lifecycle"
