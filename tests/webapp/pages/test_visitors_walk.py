"""A visitor clicks on everything that public pages show, and is never asked to sign in."""

import pytest

from tests.support import every_address
from tests.support import world as worlds
from tests.support.crawling import crawl
from tests.support.pages import signed_in, text_of
from tests.support.templates import copy_of
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services import request_house
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
HOUSE_AGENT = "/courses/coop/assignments/hanabi/leaderboard/agents/piers/?kind=practice"


def test_every_link_of_a_public_page_opens_for_a_visitor() -> None:
    world = copy_of(every_address.make).world
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    (run,) = request_house(assignment=world.assignment, by=world.ida, names=["piers"])
    worlds.play(run, agent="piers")
    Evaluation.objects.filter(pk=run.pk).update(kind=Kind.PRACTICE)  # on public deals
    found = crawl(signed_in(None), ["/", HOUSE_AGENT], of_a_kind=4)
    assert {address: code for address, code in found.items() if code != 200} == {}
    pages = [text_of(signed_in(None).get(address)) for address in found if "/agents/" in address]
    assert {"Best games" in page for page in pages} == {"/house-games/" in page for page in pages}
    for part in (
        "/leaderboard/",
        "/agents/",
        "/tournaments/",
        "/ladder/",
        "/house-games/",
        "/example-game/",
    ):
        assert [address for address in found if part in address], part
