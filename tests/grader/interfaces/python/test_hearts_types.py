"""Observations, actions and events of Hearts, as agents see them."""

from typing import Any

import pytest

from firebox import hearts
from firebox.hearts import Card, Observation, Pass, Play
from firebox.hearts.example import example_messages


def observe(**changes: Any) -> Observation:
    start, turn, _ = example_messages()
    return hearts.observation_from_wire(
        {**turn, "observation": {**turn["observation"], **changes}}, start["options"]
    )


def trick(text: str, leader: int = 0) -> list[dict[str, Any]]:
    return [{"seat": leader + at, "card": card} for at, card in enumerate(text.split())]


def test_every_exported_name_exists() -> None:
    assert all(hasattr(hearts, name) for name in hearts.__all__)


def test_an_observation_has_everything_that_the_seat_may_know() -> None:
    seen = observe()
    assert (seen.turn, seen.seat, seen.players, seen.hand_number) == (12, 0, 4, 0)
    assert (seen.is_passing, seen.passing, seen.hearts_broken) == (False, "left", False)
    assert [" ".join(map(str, cards)) for cards in (seen.passed, seen.received, seen.hand)] == [
        "SQ HA CA",
        "C2 D3 H4",
        "C2 D3 H4",
    ]
    assert [(played.seat, str(played.card)) for played in seen.trick] == [(3, "C5")]
    assert [len(cards) for cards in seen.taken] == [0, 0, 0, 1]
    assert (seen.tricks_played, seen.points, seen.totals) == (0, (0,) * 4, (0,) * 4)
    assert seen.legal_actions == (Play(Card.parse("C2")), Pass(Card.parse("C2")))
    assert len(seen.events) == 6


@pytest.mark.parametrize(
    ("played", "winner"), [("C5 CT C9", 1), ("C5 SA HA", 0), ("D2 DA DK", 1), ("", None)]
)
def test_the_highest_card_of_the_suit_led_wins(played: str, winner: int | None) -> None:
    seen = observe(trick=trick(played))
    found = seen.winning()
    assert (found and found.seat) == winner
    assert seen.suit_led == (played[:1] or None)


@pytest.mark.parametrize(("players", "cards"), [(4, 52), (3, 51)])
def test_the_unseen_cards_are_those_that_others_hold(players: int, cards: int) -> None:
    """With three seats the two of diamonds is in no hand."""
    seen = observe(totals=[0] * players)
    unseen = set(map(str, seen.unseen()))
    assert len(unseen) == cards - len(["C2", "D3", "H4", "C5", "SK"])
    assert not unseen & {"C2", "D3", "H4", "C5", "SK"}
    assert ("D2" in unseen) == (players == 4)


@pytest.mark.parametrize("kind", ["play", "pass"])
def test_actions_travel_both_ways(kind: str) -> None:
    wire = {"type": kind, "card": "SQ"}
    assert hearts.action_to_wire(hearts.action_from_wire(wire)) == wire


@pytest.mark.parametrize("make", [Play, Pass])
def test_a_card_by_its_name_alone_is_refused_where_it_is_written(make: type[Play | Pass]) -> None:
    with pytest.raises(TypeError, match="is a Card, not 'SQ' of type str"):
        make("SQ")  # type: ignore[arg-type]  # as a student may write it


def test_cards_cost_what_the_rules_say() -> None:
    costs = {str(card): card.points for card in hearts.ALL_CARDS if card.points}
    assert costs.pop("SQ") == 13
    assert costs == {f"H{rank}": 1 for rank in "23456789TJQKA"}
