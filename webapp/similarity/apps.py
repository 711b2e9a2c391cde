"""Registers the app."""

from django.apps import AppConfig


class SimilarityConfig(AppConfig):
    """Similar sources."""

    name = "webapp.similarity"
    label = "similarity"
