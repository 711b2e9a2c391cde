"""A tournament with all of its stories, and the addresses of its pages."""

from django.test import Client

from webapp.contests.tournaments.models import Tournament


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.getvalue().decode()


def status(client: Client, address: str) -> int:
    return client.get(address).status_code


def address_of(tournament: Tournament, rest: str = "") -> str:
    return f"/tournaments/{tournament.uuid}/{rest}"
