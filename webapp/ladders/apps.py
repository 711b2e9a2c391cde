"""Registers the app."""

from django.apps import AppConfig


class LaddersConfig(AppConfig):
    """Ladders, the agents on them, their tables and games."""

    name = "webapp.ladders"
    label = "ladders"
