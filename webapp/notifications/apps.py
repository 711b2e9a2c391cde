"""Registers the app."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """E-mail to users."""

    name = "webapp.notifications"
    label = "notifications"
