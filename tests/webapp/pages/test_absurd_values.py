"""Pages of values that no game gives: whatever the database holds, they come up."""

import pytest

from tests.support.pages import ASSIGNMENT, signed_in
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.grading.submissions.models import Submission

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.parametrize("size", [10**6, -(10**6), 2**31 - 1])
def test_every_page_opens_with_absurd_figures(
    world: World, practised: Submission, ada_graded: Evaluation, size: int
) -> None:
    Evaluation.objects.update(
        mean=float(size), sd=1e300, standard_error=1e300, low=-1e300, high=1e300,
        lost=2**31 - 1, histogram=[[size, 5], [0, 1]], ms_per_game=1e300,
        turn_ms={"median": 1e300, "p99": 1e300, "max": 1e300}, second_plays=2**31 - 1,
    )  # fmt: skip
    GameResult.objects.update(
        score=size, scores=[size, size], wall_ms=1e300, max_charged_us=2**31 - 1, turns=2**31 - 1
    )
    pages = ["", "leaderboard/", "teams/", "grades/", "grades.csv", "compare/"]
    addresses = [ASSIGNMENT + page for page in pages]
    addresses += [f"/submissions/{practised.pk}/"]
    for evaluation in Evaluation.objects.all():
        address = f"/evaluations/{evaluation.uuid}/"
        addresses += [address, address + "games/", address + "games/0/"]
    for who in (world.ida, world.ada):
        statuses = {address: signed_in(who).get(address).status_code for address in addresses}
        assert {address: status for address, status in statuses.items() if status >= 500} == {}
        assert statuses[ASSIGNMENT] == 200
