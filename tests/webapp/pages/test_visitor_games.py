"""Games of visitors with house agents: begun and played without an account."""

import json
import re
from itertools import product
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from grader.core.position import state_after
from tests.support.pages import text_of
from webapp.contests.playing import visitors
from webapp.contests.playing.models import HumanGame

pytestmark = pytest.mark.django_db

NEW = "/play/"
TABLE = "/play/table/"
JSON = {"Accept": "application/json"}
HANABI = {
    "game": "hanabi", "variant": "standard", "players": "2", "seat": "0", "agent1": "house:iggi"
}  # fmt: skip
HEARTS = {
    "game": "hearts", "variant": "standard", "players": "4", "seat": "0",
    **dict.fromkeys(("agent1", "agent2", "agent3"), "house:hearts/careful"),
}  # fmt: skip


@pytest.fixture
def visitor() -> Client:
    """Somebody who has begun a game of Hanabi."""
    client = Client()
    assert client.post(NEW, HANABI)["Location"] == TABLE
    return client


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r"data-(?:play|viewer)-game>(.*?)</script>", page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def deal_of(client: Client) -> str:
    return str(client.session["visitor_game"]["deal_seed"])


def test_the_front_page_leads_to_games_with_house_agents_that_answer_at_once(
    client: Client,
) -> None:
    assert f'href="{NEW}"' in text_of(client.get("/"))
    page = text_of(client.get(NEW))
    assert "Play Hanabi" in page
    assert "Play Hearts" in page
    assert '"/guide/house-agents/">What the agents do' in page
    assert '"/guide/hearts/#opponents">What the agents do' in page
    assert "cs221/" not in page
    client.post(NEW, HEARTS)
    data = data_of(text_of(client.get(TABLE)))
    assert (data["game"], data["me"], data["acts"], len(data["seats"])) == ("hearts", 0, 0, 4)


def test_a_game_whose_agents_are_all_slow_is_not_offered(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = visitors.answering
    monkeypatch.setattr(
        visitors, "answering", lambda rules: {} if rules.name == "hearts" else quick(rules)
    )
    monkeypatch.setattr(visitors, "offered_games", visitors.offered_games.__wrapped__)
    page = text_of(client.get(NEW))
    assert "Play Hanabi" in page
    assert "Play Hearts" not in page
    assert "Choose a game from the list." in text_of(client.post(NEW, HEARTS))


@pytest.mark.slow
def test_a_game_is_played_to_its_end_by_forms_alone(visitor: Client) -> None:
    page = text_of(visitor.get(TABLE))
    for turn in range(0, 90, 2):
        choice = re.search(r'name="move" value="(\S+)"', page)
        if choice is None:
            break
        form = {"turn": turn, "move": choice[1]}
        page = text_of(visitor.post(TABLE + "move/", form, follow=True))
    assert "Play the same deal again" in page
    assert "All cards are face up now." in page
    assert HumanGame.objects.count() == 0


def test_a_move_that_cannot_be_made_changes_nothing(visitor: Client) -> None:
    kept = dict(visitor.session)
    for turn, move, why in (
        ("1", "p0", "The game has moved on."),
        ("0", "p9", "This move is not allowed now."),
        ("x", "p0", "The game has moved on."),
    ):
        form = {"turn": turn, "move": move}
        assert why in visitor.post(TABLE + "move/", form, headers=JSON).json()["refused"]
        assert why in text_of(visitor.post(TABLE + "move/", form, follow=True))
    malformed = ("p0 " * 300_000, "p0\0", "", "\ud55c" * 1000)
    for turn, move in product(("0", "9" * 4000, "-1"), malformed):
        form = {"turn": turn, "move": move}
        assert visitor.post(TABLE + "move/", form, headers=JSON).json()["refused"]
        assert visitor.get(f"{TABLE}turns/?since={turn}").json() == {"turn": 0}
    assert dict(visitor.session) == kept


def test_a_visitor_chooses_players_rules_seat_and_partners(client: Client) -> None:
    page = text_of(client.get(NEW, {"game": "hanabi", "players": "5", "variant": "uwa"}))
    assert 'id="hanabi-agent4"' in page
    agents = ["piers", "iggi", "convention", "outer"]
    chosen = {f"agent{number}": f"house:{name}" for number, name in enumerate(agents, 1)}
    client.post(NEW, HANABI | chosen | {"players": "5", "variant": "uwa", "seat": "3"})
    data = data_of(text_of(client.get(TABLE)))
    assert (data["me"], data["options"]["variant"]) == (3, "uwa")
    names = [seat["name"] for seat in data["seats"]]
    assert names == ["Piers", "Iggi", "Constance", "you", "Otto"]
    client.post(TABLE + "leave/")
    client.post(TABLE + "again/", {"deal": "new"})
    assert data_of(text_of(client.get(TABLE)))["seats"] == data["seats"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"game": "chess"}, "Choose a game from the list."),
        ({"agent1": "house:cs221/random_legal"}, "Select a valid choice"),
        ({"seat": "2"}, "Select a valid choice"),
        ({"variant": "gcc", "players": "3"}, "Select a valid choice"),
    ],
)
def test_only_what_is_offered_can_be_begun(client: Client, wrong: dict[str, str], why: str) -> None:
    assert why in text_of(client.post(NEW, HANABI | wrong))
    assert client.get(TABLE)["Location"] == NEW


def test_a_game_is_its_browsers_alone(visitor: Client, client: Client) -> None:
    assert visitor.get(TABLE).status_code == 200
    assert "Continue it" in text_of(visitor.get(NEW))
    assert client.get(TABLE)["Location"] == NEW
    assert client.get(TABLE + "turns/").json() == {"turn": 0, "over": True}
    form = {"turn": "0", "move": "p0"}
    assert client.post(TABLE + "move/", form, headers=JSON).json() == {"turn": 0, "over": True}
    refused = text_of(client.post(TABLE + "move/", form, follow=True))
    assert "no longer kept" in refused


def test_a_game_that_was_left_shows_all_cards_and_can_be_begun_again(visitor: Client) -> None:
    first = deal_of(visitor)
    refused = visitor.post(TABLE + "again/", {"deal": "same"}, follow=True)
    assert "Choose a game and its agents" in text_of(refused)
    question = text_of(visitor.get(TABLE + "leave/"))
    assert "Leave the game?" in question
    assert visitor.get(TABLE + "turns/").json() == {"turn": 0}
    page = text_of(visitor.post(TABLE + "leave/", follow=True))
    assert "You left the game" in page
    assert "data-viewer-game" in page
    visitor.post(TABLE + "again/", {"deal": "same"})
    assert deal_of(visitor) == first
    visitor.post(TABLE + "leave/")
    visitor.post(TABLE + "again/", {"deal": "new"})
    assert deal_of(visitor) != first


def test_a_game_of_rules_that_were_updated_says_so(visitor: Client) -> None:
    session = visitor.session
    session["visitor_game"] |= {"rules_version": 0}
    session.save()
    assert "the rules have been updated" in text_of(visitor.get(TABLE))
    form = {"turn": "0", "move": "p0"}
    assert "cannot go on" in text_of(visitor.post(TABLE + "move/", form, follow=True))


def test_a_game_that_is_over_is_sent_by_its_address(
    visitor: Client, client: Client, settings: Settings
) -> None:
    assert "/shared/visitors/" not in text_of(visitor.get(TABLE))
    visitor.post(TABLE + "leave/")
    over = text_of(visitor.get(TABLE))
    (address,) = re.findall(r'href="(/shared/visitors/[^"]+)"', over)
    assert f'data-shared="{settings.SITE_URL}{address}"' in over
    page = text_of(client.get(address))
    assert "A person, Iggi" in page
    assert '"agent1"' not in page
    assert client.cookies == {}
    assert client.get(address[:-2] + "/").status_code == 404
    assert "every character counts" in text_of(client.get(address[:-2] + "/"))


@pytest.mark.slow
def test_the_address_of_a_long_match_fits_into_a_message() -> None:
    rules = visitors.offered_games()["hearts"]
    session: dict[str, Any] = {}
    visitors.begin(session, rules=rules, seat=0, agents=["house:hearts/careful"] * 3)
    while (game := visitors.kept_game(session)) is not None and game.is_open:
        legal = state_after(game.rules, game.seed, game.notations).legal_actions()
        visitors.make_move(session, turn=game.turns, move=game.rules.notate(legal[-1]))
    assert game is not None
    assert len(visitors.token_of(game)) < 2000
    assert visitors.game_of(visitors.token_of(game)).actions == game.actions
