"""Registers the app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, participants, their games."""

    name = "webapp.tournaments"
    label = "tournaments"
