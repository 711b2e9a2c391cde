"""More time for a team: given, taken back, refused."""

import pytest

from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, signed_in, text_of
from tests.support.world import World
from webapp.teaching.courses.models import Role

pytestmark = pytest.mark.django_db


def more_time(world: World) -> str:
    return f"{ASSIGNMENT}teams/{worlds.team_of(world, world.ada).pk}/extension/"


@pytest.mark.slow
def test_staff_give_a_team_more_time_and_see_who_did_when_and_why(world: World) -> None:
    client, address = signed_in(world.cleo), more_time(world)
    data = {"due_at": "2030-07-01T18:30", "reason": "Ill for a week"}
    page = text_of(client.post(address, data, follow=True))
    assert "1 Jul 2030, 18:30 CEST" in page
    for said in ("Ill for a week", "Cleo Vance", "Ada Lovelace"):
        assert said in page
        assert said in text_of(client.get(address))
    assert "a date of your own" in text_of(signed_in(world.ada).get(ASSIGNMENT))


def test_an_extension_is_taken_back_with_a_reason_too(world: World) -> None:
    client, address = signed_in(world.ida), more_time(world)
    client.post(address, {"due_at": "2030-07-01T18:30", "reason": "Ill"})
    client.post(address, {"withdraw": "1", "reason": ""})
    assert worlds.team_of(world, world.ada).extended_due_at is not None
    client.post(address, {"withdraw": "1", "reason": "A mistake"})
    assert worlds.team_of(world, world.ada).extended_due_at is None
    assert client.get(f"{ASSIGNMENT}teams/999999/extension/").status_code == 404
    page = text_of(client.get(address))
    assert "A mistake" in page
    assert "as for everybody" in page


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"due_at": "2020-01-01T00:00", "reason": "Ill"}, "must end later than"),
        ({"due_at": "2030-01-01T00:00", "reason": ""}, "This field is required."),
        ({"due_at": "", "reason": "Ill"}, "This field is required."),
    ],
)
def test_an_extension_that_cannot_be_is_refused_with_the_reason(
    data: dict[str, str], said: str, world: World
) -> None:
    address = more_time(world)
    assert said in text_of(signed_in(world.ida).post(address, data))
    assert worlds.team_of(world, world.ada).extended_due_at is None


def test_people_without_the_right_see_extensions_but_no_form(world: World) -> None:
    place = world.course.enrolments.get(user=world.ada)
    address = f"{ASSIGNMENT}dates/{place.pk}/"
    data = {"due_at": "2030-07-01T18:30", "reason": "Ill for a week"}
    assert "Give more time" in text_of(signed_in(world.cleo).get(address))
    signed_in(world.cleo).post(address, data)
    world.course.enrolments.filter(user=world.cleo).update(role=Role.OBSERVER)
    page = text_of(signed_in(world.cleo).get(address))
    assert "Ill for a week" in page
    assert 'name="due_at"' not in page
    assert signed_in(world.cleo).post(address, data).status_code == 403
