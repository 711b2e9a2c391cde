"""A course on a real PostgreSQL: text that it cannot store, and people who come at one moment."""

from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.support import world as worlds
from tests.support.migrated import migrated_postgres
from tests.support.postgres_server import PostgresServer, as_default_database

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

ASSIGNMENT = "/courses/coop/assignments/hanabi/"


@pytest.fixture(scope="module", autouse=True)
def server(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[PostgresServer]:
    """A PostgreSQL server with the site's tables: the database of all tests here."""
    try:
        server = PostgresServer(migrated_postgres())
    except FileNotFoundError as error:
        pytest.fail(f"{error}. Install them with: make test", pytrace=False)
    try:
        with django_db_blocker.unblock(), as_default_database(server.url):
            yield server
    finally:
        server.remove()


def test_a_search_for_text_that_no_database_takes_finds_nothing() -> None:
    world = worlds.make()
    client = Client()
    client.force_login(world.ida)
    searches = ("/courses/coop/grades/", ASSIGNMENT + "grades/", ASSIGNMENT + "teams/")
    statuses = {address: client.get(address, {"q": "a\x00b"}).status_code for address in searches}
    assert set(statuses.values()) == {200}, statuses
    assert client.get(ASSIGNMENT + "leaderboard/agents/a%00b/").status_code == 404
