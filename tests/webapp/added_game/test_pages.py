"""A site with a game from an installed package that brings rules alone: every page, every role."""

import json

import pytest
from django.test import Client

from grader.core.games import GAMES
from grader.interfaces import INTERFACES
from tests.support import every_address
from tests.support import world as worlds
from tests.support.every_address import routes
from tests.support.html_forms import form_with
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.django_db]

GAME = "connect_four"


def reading(person: User | None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def test_every_page_opens(believed: None) -> None:
    thing = every_address.make(GAME, f"{GAME}/random_legal")
    opened = 0
    for person in thing.people.values():
        client = reading(person)
        for name, route in routes():
            address = thing.address(name, route)
            status = client.get(address).status_code
            assert status < 500, (name, address)
            opened += status == 200
    assert opened > 500


def test_an_instructor_creates_an_assignment_with_the_values_that_the_form_shows() -> None:
    world = worlds.make()
    client = reading(world.ida)
    address = f"/courses/{world.course.slug}/new-assignment/"
    page = client.get(address, {"game": GAME}).content.decode()
    fields = form_with(page, "title") | {"title": ["Four in a row"], "slug": ["four"]}
    fields["due_at"] = ["2099-01-01T12:00"]
    assert fields["game"] == [GAME]
    made = client.post(address, fields)
    assert made.status_code == 302, made.context["form"].errors
    assignment = Assignment.objects.get(slug="four")
    assert assignment.opponents == [f"{GAME}/random_legal"]
    for name, interface in INTERFACES.items():
        if not interface.rules.game:
            kit = client.get(
                f"/courses/{world.course.slug}/assignments/four/starter-kit/", {"interface": name}
            )
            assert kit.status_code == 200, name


def test_a_visitor_reads_its_page_and_plays_it() -> None:
    client = reading(None)
    page = client.get("/guide/connect-four/").content.decode()
    assert "discs fall into seven columns" in page
    assert GAMES[GAME].endings["line"] in page
    begun = client.post("/play/", {"game": GAME, "agent": f"{GAME}/random_legal"}, follow=True)
    text = begun.content.decode()
    assert "Connect Four" in text
    assert json.dumps({"type": "drop"})[1:-1] not in text
