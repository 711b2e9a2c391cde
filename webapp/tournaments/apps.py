"""Registers the app, and tournaments as something that asks graders for games."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, participants, their games."""

    name = "webapp.tournaments"
    label = "tournaments"

    def ready(self) -> None:
        """Batches of tournaments are looked after with all others."""
        from webapp.evaluations.services import askers
        from webapp.tournaments.services.asking import TournamentAsker

        askers.register(TournamentAsker())
