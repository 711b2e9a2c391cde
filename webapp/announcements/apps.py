"""Registers the app."""

from django.apps import AppConfig


class AnnouncementsConfig(AppConfig):
    """Announcements of courses."""

    name = "webapp.announcements"
    label = "announcements"
