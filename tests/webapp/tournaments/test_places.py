"""Points for places: teams alone are placed, ties share, later numbers replace earlier ones."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.utils import timezone

from grader.tournament import Policy
from tests.support import tables
from tests.support.pages import signed_in
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.contests.tournaments.selectors import entries_for_everybody
from webapp.contests.tournaments.services import give_place_points, release
from webapp.contests.tournaments.services.places import places_of
from webapp.grading.gradebook.points import all_points, own_points_of
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.slow

Start = Callable[..., Tournament]


def totals(assignment: Assignment) -> dict[int, Decimal | None]:
    return {user: points.total for (_, user), points in all_points([assignment]).items()}


def test_places_give_points_once_results_are_released(
    start: Start, assignment: Assignment, ida: User
) -> None:
    running = start()
    with pytest.raises(Refused, match="all games"):
        give_place_points(tournament=running, by=ida, points=[Decimal(10)])
    played = tables.play(running)
    with pytest.raises(Refused, match="Release the results first"):
        give_place_points(tournament=played, by=ida, points=[Decimal(10)])
    release(tournament=played, by=ida, stage=Stage.RESULTS)
    places = places_of(played)
    assert len(places) == 5
    assert min(places.values()) == 1
    firsts = [team for team, place in places.items() if place == 1]
    given = give_place_points(tournament=played, by=ida, points=[Decimal(10)])
    assert given == len(firsts)
    worth = totals(assignment)
    assert sorted(filter(None, worth.values())) == [10] * len(firsts)
    ada = User.objects.get(display_name="Ada")
    with pytest.raises(NotAllowed):
        give_place_points(tournament=played, by=ada, points=[Decimal(10)])
    client = signed_in(ida)
    address = f"/tournaments/{played.uuid}/points/"
    assert client.post(address, {"points": "ten"}).status_code == 422
    assert client.post(address, {"points": "3, 2, 1"}).status_code == 302
    assert max(filter(None, totals(assignment).values())) == 3
    first = assignment.teams.get(pk=firsts[0]).users.get()
    points = own_points_of(first, assignment)
    assert points is not None
    assert "Place 1 in the tournament Spring cup" in points.manual[0].reason


def test_a_team_whose_agent_spoiled_all_of_its_games_has_the_last_place(start: Start) -> None:
    played = tables.play(start(rounds=2, policy=Policy(faults_to_removal=0)), tables.always(2))
    culprit = played.participants.get(number=2).submission
    places = places_of(played)
    assert culprit is not None
    assert places.pop(culprit.team_id) == 5
    assert max(places.values()) < 5
    shown = {entry.entry.number: entry.rank for entry in entries_for_everybody(played)}
    assert [number for number, rank in shown.items() if rank == 5] == [2]


def test_a_team_that_is_excluded_loses_its_points_when_points_are_given_again(
    start: Start, assignment: Assignment, ida: User
) -> None:
    played = tables.play(start())
    release(tournament=played, by=ida, stage=Stage.RESULTS)
    give_place_points(tournament=played, by=ida, points=[Decimal(5)] * 5)
    assert list(totals(assignment).values()) == [5] * 5
    excluded = played.participants.filter(submission__isnull=False)[0]
    excluded.excluded_at = timezone.now()
    excluded.save()
    give_place_points(tournament=played, by=ida, points=[Decimal(5)] * 5)
    lost = excluded.submission.team.users.get()
    assert {user for user, total in totals(assignment).items() if total is None} == {lost.pk}
