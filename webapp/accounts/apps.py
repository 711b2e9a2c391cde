"""Registers the app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People."""

    name = "webapp.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Connect the signals of second factors."""
