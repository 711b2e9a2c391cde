"""Registers the app."""

from django.apps import AppConfig


class LeaderboardsConfig(AppConfig):
    """Standings; no models."""

    name = "webapp.leaderboards"
    label = "leaderboards"
