"""Registers the app."""

from django.apps import AppConfig


class PlayingConfig(AppConfig):
    """Games of people with agents."""

    name = "webapp.playing"
    label = "playing"
