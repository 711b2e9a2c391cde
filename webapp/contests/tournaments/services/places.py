"""Points in the gradebook for places of a finished tournament."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.grading.evaluations.models import Status
from webapp.grading.gradebook.models import ManualPoints
from webapp.grading.gradebook.services.manual import give_points
from webapp.grading.jobs.owners import locked
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import Membership
from webapp.teaching.courses.permissions import require_instructor


def places_of(tournament: Tournament) -> dict[int, int]:
    """Return the place of each team by the ranks shown, among teams alone; equal ones share."""
    latest = tournament.standings
    if latest is None:
        return {}
    teams = dict(
        tournament.participants.filter(submission__isnull=False, excluded_at__isnull=True)
        .order_by("number")
        .values_list("number", "submission__team")
    )
    ranks = {teams[number]: rank for number, rank in latest.ranking.items() if number in teams}
    return {team: 1 + sum(other < rank for other in ranks.values()) for team, rank in ranks.items()}


@transaction.atomic
def give_place_points(
    *, tournament: Tournament, by: User, points: Sequence[Decimal], at: datetime | None = None
) -> int:
    """Add points for the first places; return how many students got any.

    Replaces points given for this tournament before. Raises NotAllowed; Refused before its end, and
    while its results are hidden, which points would reveal.
    """
    require_instructor(by, tournament.assignment.course)
    tournament = locked(tournament, "assignment")  # a participant may be removed at this moment
    assignment = tournament.assignment
    if tournament.status != Status.FINISHED:
        raise Refused("Give points by rank once all games have been played.")
    if tournament.stage != Stage.RESULTS:
        raise Refused("Release the results first: points would reveal them.")
    now = at or timezone.now()
    rows = list(_rows(tournament, points, by, now))
    give_points(assignment, rows)
    record(
        ActKind.PLACES_GIVEN,
        by=by,
        course=assignment.course,
        thing=f"{assignment}, {tournament}",
        after={"points": ", ".join(map(str, points))},
        at=now,
    )
    return sum(row.points is not None for row in rows)


def _rows(
    tournament: Tournament, points: Sequence[Decimal], by: User, at: datetime
) -> Iterator[ManualPoints]:
    """Yield the points of each student in the first places, and of those who had some before."""
    assignment, source = tournament.assignment, f"tournament-{tournament.pk}"
    earlier = ManualPoints.objects.filter(assignment=assignment, source=source)
    before = set(earlier.values_list("user_id", flat=True))
    places = places_of(tournament)
    members = Membership.objects.filter(team__in=places).order_by("pk")
    placed = {user: places[team] for user, team in members.values_list("user_id", "team_id")}
    for user in [*placed, *sorted(before - set(placed))]:
        place = placed.get(user)
        worth = points[place - 1] if place is not None and place <= len(points) else None
        if worth is not None or user in before:
            yield ManualPoints(
                assignment=assignment,
                user_id=user,
                source=source,
                points=worth,
                reason=f"{_named(place)} in the tournament {tournament}"[:200],
                given_by=by,
                given_at=at,
            )


def _named(place: int | None) -> str:
    return "No place" if place is None else f"Place {place}"
