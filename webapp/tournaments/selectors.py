"""What is asked about tournaments."""

from grader.tournament import TournamentExport, export_tournament
from webapp.tournaments.models import Tournament
from webapp.tournaments.services.course import participants_of


def export_of(tournament: Tournament, *, reveal_secret: bool) -> TournamentExport:
    """Everything the tournament's standings rest on, for ``firebox verify``. Three queries."""
    exclusions = (each.exclusion for each in tournament.participants.all())
    return export_tournament(
        tournament.parsed_spec,
        participants_of(tournament),
        title=f"{tournament.assignment.course}: {tournament}",
        secret=bytes(tournament.secret),
        reveal_secret=reveal_secret,
        exclusions=[each for each in exclusions if each is not None],
        results=[row.as_result for row in tournament.games.all()],
    )
