"""Pages of games with agents: begun, played and left by forms alone, and what a script is sent."""

import re
from collections.abc import Callable

import pytest

from grader import house
from grader.core.games import game_from_options
from grader.play.players import LocalPlayer, play_game
from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.services import start_game
from webapp.people.accounts.identities import confirm_address
from webapp.teaching.courses.models import PlayWith

pytestmark = pytest.mark.django_db

NEW = "/courses/coop/assignments/hanabi/play/"
JSON = {"Accept": "application/json"}


@pytest.fixture
def game(world: World) -> HumanGame:
    """Ada's, in which she begins."""
    return start_game(assignment=world.assignment, by=world.ada, seat=0, agents=["house:piers"])


def address(game: HumanGame, rest: str = "") -> str:
    return f"/play/{game.uuid}/{rest}"


def test_a_game_is_begun_from_its_assignment(world: World) -> None:
    client = signed_in(world.ada)
    assert NEW in text_of(client.get("/courses/coop/assignments/hanabi/"))
    response = client.post(NEW, {"seat": "1", "agent1": "house:iggi"})
    game = HumanGame.objects.get()
    assert response["Location"] == address(game)
    assert (game.person, game.seat, game.others[0].name) == (world.ada, 1, "iggi")
    assert address(game) in text_of(client.get(NEW))


def test_a_game_that_cannot_start_is_reported_on_the_form(world: World) -> None:
    client = signed_in(world.ada)
    assert "Select a valid choice" in text_of(client.post(NEW, {"seat": "1", "agent1": "house:x"}))
    for _ in range(3):
        client.post(NEW, {"seat": "0", "agent1": "house:iggi"})
    page = text_of(client.post(NEW, {"seat": "0", "agent1": "house:iggi"}))
    assert "Leave one of them first." in page


def test_a_slow_house_agent_is_played_by_graders(db: None) -> None:
    world = worlds.make(options={"variant": "cs221", "players": 2})
    client = signed_in(world.ada)
    page = text_of(client.get(NEW))
    assert "Information (Lin and Xu), a strategy from a paper (slower: a grader plays it)" in page
    assert "No grader is available for games with people at the moment." in page
    client.post(NEW, {"seat": "0", "agent1": "house:cs221/information"})
    game = HumanGame.objects.get()
    assert game.others[0].agent is not None
    table = text_of(client.get(address(game)))
    assert '<p id="stuck" class="note warn" role="status">' in table
    client.post(address(game, "move/"), {"turn": "0", "move": "p0"})
    assert client.get(address(game, "turns/?since=1")).json() == {"turn": 1, "stuck": True}
    client.post(address(game, "leave/"))
    client.post(address(game, "again/"), {"deal": "same"})
    assert HumanGame.objects.open().get().others == game.others


def test_an_assignment_without_such_games_says_so(world: World) -> None:
    world.assignment.play_with = PlayWith.NOBODY
    world.assignment.save()
    client = signed_in(world.ada)
    assert "has no games with agents in the browser" in text_of(client.get(NEW))
    assert NEW not in text_of(client.get("/courses/coop/assignments/hanabi/"))


def test_a_game_is_played_and_left_without_scripts(world: World, game: HumanGame) -> None:
    client = signed_in(world.ada)
    page = text_of(client.get(address(game)))
    assert '<button name="move" value="p0">Play card 1</button>' in page
    assert "seat 1     ??           ??" in page
    assert game.deal_seed not in page
    client.post(address(game, "move/"), {"turn": "0", "move": "p0"})
    game.refresh_from_db()
    assert game.turns == 2
    page = text_of(client.post(address(game, "move/"), {"turn": "0", "move": "p0"}, follow=True))
    assert "The game has moved on." in page
    client.post(address(game, "leave/"))
    page = text_of(client.get(address(game)))
    assert "You left the game" in page
    assert "data-viewer-game" in page
    assert "??" not in page
    client.post(address(game, "again/"), {"deal": "same"})
    assert HumanGame.objects.open().get().deal_seed == game.deal_seed


def test_a_script_is_sent_what_has_happened(
    world: World, game: HumanGame, django_assert_max_num_queries: Callable[..., object]
) -> None:
    client = signed_in(world.ada)
    with django_assert_max_num_queries(3):
        assert client.get(address(game, "turns/?since=0")).json() == {"turn": 0}
    sent = client.post(address(game, "move/"), {"turn": "0", "move": "p0"}, headers=JSON).json()
    assert (sent["turn"], len(sent["turns"]), sent["acts"]) == (2, 2, 0)
    assert client.get(address(game, "turns/?since=x")).json() == sent
    again = client.post(address(game, "move/"), {"turn": "0", "move": "p0"}, headers=JSON).json()
    assert again == {**sent, "refused": "The game has moved on. This is how it stands now."}
    client.post(address(game, "leave/"))
    assert client.get(address(game, "turns/?since=2")).json() == {"turn": 2, "over": True}


def test_cards_can_be_swapped_where_the_rules_have_it(world: World) -> None:
    rules = game_from_options("hanabi", {"variant": "gcc", "players": 2})
    world.assignment.options = dict(rules.options)
    world.assignment.save()
    game = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=["house:piers"])
    client = signed_in(world.ada)
    page = text_of(client.get(address(game)))
    assert '<button name="move" value="s04">Swap cards 1 and 5</button>' in page
    move = {"turn": "0", "move": "s04"}
    sent = client.post(address(game, "move/"), move, headers=JSON).json()
    assert (sent["turn"], sent["acts"]) == (1, 0)
    assert [card[:2] for card in sent["turns"][0]["hand0"]] == [[n, None] for n in (4, 1, 2, 3, 0)]
    refused = client.post(address(game, "move/"), {"turn": "1", "move": "s00"}, headers=JSON)
    assert refused.json()["refused"] == "This move is not allowed now."


def test_a_game_of_rules_that_were_updated_says_so(world: World, game: HumanGame) -> None:
    HumanGame.objects.update(rules_version=99)
    client = signed_in(world.ada)
    assert "the rules have been updated" in text_of(client.get(address(game)))
    client.post(address(game, "move/"), {"turn": "0", "move": "p0"})
    game.refresh_from_db()
    assert game.status == GameStatus.FAILED


def test_the_end_says_what_a_house_agent_makes_of_the_deal_and_the_download_has_it(
    world: World, game: HumanGame
) -> None:
    confirm_address(world.ada)
    told = signed_in(world.ada).get("/accounts/profile/download/").json()["games_with_agents"]
    assert told[0]["assignment__title"] == "Hanabi with a twin"
    assert "deal_seed" not in told[0]
    client = signed_in(world.ada)
    assert "On this deal" not in text_of(client.get(address(game)))
    client.post(address(game, "leave/"))
    page = text_of(client.get(address(game)))
    game.refresh_from_db()
    players = [LocalPlayer(house.agent("piers")) for _ in range(2)]
    points = play_game(game.rules, game.seed, players).scores[0]
    assert re.search(rf"On this deal,\s+Piers in every seat scores {points} points?\.", page)


def test_a_faulted_game_shows_the_fault(world: World, game: HumanGame) -> None:
    fault = {"seat": 1, "kind": "crash", "turn": 0, "detail": "ended <b>badly</b>"}
    HumanGame.objects.update(
        status=GameStatus.FAULTED, fault=fault, printed="\x1b[1mhm", ended_at=game.created_at
    )
    page = text_of(signed_in(world.ada).get(address(game)))
    assert "Seat 2 failed (<code>crash</code>): ended &lt;b&gt;badly" in page
    assert "hm</pre>" in page
    assert "\x1b" not in page
