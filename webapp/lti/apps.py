"""Registers the app."""

from django.apps import AppConfig


class LtiConfig(AppConfig):
    """Learning platforms."""

    name = "webapp.lti"
    label = "lti"
