"""The turn that the site draws: the address's, as the seat sees it, with links to others."""

from pathlib import Path
from typing import Any

import pytest

from grader.core.games import Game, folder_of, game_from_options, presented
from webapp.pages.turn_pictures import TurnPicture, turn_picture

SEED = bytes(range(32))
NAMES = ("Ada #1", "piers")


def shown(game: Game, **asked: str) -> TurnPicture:
    """Three turns of a game, of which each seat takes the first legal action."""
    state, actions = game.deal(SEED), []
    for _ in range(3):
        actions.append(state.legal_actions()[0])
        state.apply(actions[-1])
    return turn_picture(game, list(presented(game).scenes(SEED, actions)), NAMES, asked)


def hanabi(**asked: str) -> TurnPicture:
    return shown(game_from_options("hanabi", {}), **asked)


def links(still: TurnPicture) -> dict[str, str]:
    return {link.words: link.query for link in still.turns if link.query}


def test_the_address_says_which_turn_it_is() -> None:
    assert hanabi().name == hanabi(turn="deal").name == "The deal"
    assert hanabi(turn="1").name == "Turn 1"
    assert hanabi(turn="99").name == "Turn 2"
    assert hanabi(turn="-1").name == hanabi(turn="x²").name == "The deal"
    assert hanabi(turn="1").sentence.startswith("Seat 2 ")
    found = links(hanabi(turn="1", **{"as": "0"}))
    assert found["Back"] == "?turn=0&as=0"
    assert found["Forward"] == found["Last turn"] == "?turn=2&as=0"
    assert "Back" not in links(hanabi())
    assert "Forward" not in links(hanabi(turn="2"))


def test_a_later_hands_deal_has_an_address_of_its_own() -> None:
    game = game_from_options("hearts", {"players": 2, "hands": 2, "passing": "none"})
    state, actions = game.deal(SEED), []
    while state.seat_to_act is not None:
        actions.append(state.legal_actions()[0])
        state.apply(actions[-1])
    scenes = list(presented(game).scenes(SEED, actions))
    half = len(actions) // 2
    deal = turn_picture(game, scenes, NAMES, {"turn": "deal2"})
    assert (deal.name, deal.sentence) == ("The deal", "")
    assert ("Hand", "2") in deal.figures
    assert links(deal)["Back"] == f"?turn={half - 1}"
    assert links(deal)["Forward"] == f"?turn={half}"
    before = turn_picture(game, scenes, NAMES, {"turn": str(half - 1)})
    assert links(before)["Forward"] == "?turn=deal2"
    after = turn_picture(game, scenes, NAMES, {"turn": str(half)})
    assert (after.name, links(after)["Back"]) == (f"Turn {half}", "?turn=deal2")
    assert turn_picture(game, scenes, NAMES, {"turn": "deal3"}).position == 0


def test_a_seat_sees_what_its_game_shows_it() -> None:
    rows = {row.title: (row, name) for row, name in hanabi(**{"as": "1"}).rows}
    assert all(card.suit for card in rows["Seat 1"][0].cards)
    assert not any(card.suit for card in rows["Seat 2"][0].cards)
    assert rows["Seat 2"][1] == "piers"
    still = shown(game_from_options("hearts", {"players": 2}), turn="2", **{"as": "0"})
    hands = {row.seat: row.cards for row, _ in still.rows if row.seat is not None}
    assert all(card.suit for card in hands[0])
    assert not any(card.suit for card in hands[1])


@pytest.mark.parametrize("name", ["hanabi", "hearts"])
def test_suits_have_the_shapes_of_the_viewer(name: str) -> None:
    game: Any = game_from_options(name, {})
    script = Path(folder_of(type(game)), "viewer", "draw.js").read_text()
    rows = presented(game).still(next(iter(presented(game).scenes(SEED, [])))).rows
    paths = {card.path for row in rows for card in row.cards if card.path}
    assert len(paths) >= 4
    assert all(path in script for path in paths)
