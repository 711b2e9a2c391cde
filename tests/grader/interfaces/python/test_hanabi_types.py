"""Observations, actions and events of Hanabi, as agents see them."""

from typing import Any

import pytest

from firebox import hanabi
from firebox.hanabi import (
    Card,
    Dealt,
    Discard,
    Discarded,
    Drawn,
    Hint,
    Hinted,
    Knowledge,
    Observation,
    Play,
    Played,
    Swap,
    Swapped,
)
from tests.grader.interfaces.python.transcripts import start, turn
from tests.support.every import every


def observe(**changes: Any) -> Observation:
    return hanabi.observation_from_wire(turn(17, **changes), start()["options"])


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(card) for card in text.split())


def test_every_exported_name_exists() -> None:
    assert all(hasattr(hanabi, name) for name in hanabi.__all__)


def test_an_observation_has_everything_on_the_table() -> None:
    seen = observe()
    assert (seen.turn, seen.seat, seen.players, seen.deck, seen.score) == (17, 0, 2, 40, 3)
    assert (seen.hint_tokens, seen.max_hint_tokens, seen.lives, seen.turns_left) == (7, 8, 3, None)
    assert seen.fireworks["Y"] == 2
    assert seen.discards == cards("W1 W1 W1 B3 B2")


def test_hands_are_by_seat_the_others_in_the_order_of_their_turns() -> None:
    seen = observe()
    assert seen.my_hand.cards == (None,) * 5
    assert seen.hands[1].cards == cards("R1 G3 B2 B2 Y5")
    assert seen.hands[1].ids == (5, 6, 7, 8, 9)
    assert list(seen.hands[1]) == list(seen.hands[1].cards)
    assert (len(seen.hands[1]), seen.hands[1][1]) == (5, Card("G", 3))
    wire = turn()["observation"]["hands"][1]
    seen = observe(seat=2, hands=[wire] * 4)
    assert [hand.seat for hand in seen.others()] == [3, 0, 1]


def test_knowledge_says_what_hints_leave_possible() -> None:
    known = observe().hands[1].knowledge[0]
    assert known == Knowledge(color="R", rank=None, colors="R", ranks=(1, 2, 3, 4, 5))
    assert known is not None
    assert known.hinted
    assert known.cards() == cards("R1 R2 R3 R4 R5")
    assert known.allows(Card("R", 3))
    assert not known.allows(Card("G", 3))


def test_an_empty_slot_is_none_everywhere() -> None:
    wire = {"cards": [None, "R2"], "ids": [None, 9], "knowledge": [None, turn_knowledge()]}
    seen = observe(hands=[wire, wire])
    assert seen.my_hand.positions == (1,)
    assert seen.my_hand.knowledge[0] is None
    assert seen.candidates(0) == ()


def turn_knowledge() -> dict[str, Any]:
    knowledge: dict[str, Any] = turn()["observation"]["hands"][0]["knowledge"][0]
    return knowledge


def test_a_hint_shows_what_it_would_touch() -> None:
    hand = observe().hands[1]
    assert hand.touched(Hint(1, color="B")) == (2, 3)
    assert hand.touched(Hint(1, rank=3)) == (1,)


@every(
    ("card", "playable", "useless", "critical"),
    [
        ("R1", True, False, False),
        ("Y3", True, False, False),
        ("Y2", False, True, False),
        ("B2", True, False, True),
        ("B3", False, False, True),
        ("B5", False, False, True),
        ("W2", False, True, False),
        ("W5", False, True, False),
        ("G5", False, False, True),
    ],
)
def test_cards_are_playable_useless_or_critical(
    card: str, *, playable: bool, useless: bool, critical: bool
) -> None:
    seen, face = observe(), Card.parse(card)
    assert seen.is_playable(face) is playable
    assert seen.is_useless(face) is useless
    assert seen.is_critical(face) is critical


def test_counting_covers_what_is_seen_and_candidates_leave_it_out() -> None:
    counts = observe().seen_counts()
    assert counts[Card("B", 2)] == 3 - 1 + 1  # one discarded, two in the other hand
    assert counts[Card("B", 1)] == 1
    assert counts[Card("W", 1)] == 3
    assert counts[Card("W", 4)] == 0
    assert sum(counts.values()) == 5 + 3 + 5
    candidates = observe().candidates(0)
    assert Card("W", 1) not in candidates
    assert Card("Y", 5) not in candidates
    assert Card("W", 2) in candidates


def test_legal_actions_are_typed_and_the_same_objects_every_time() -> None:
    first, second = observe().legal_actions, observe().legal_actions
    assert first[:2] == (Play(0), Play(1))
    assert Hint(1, color="R") in first
    assert Hint(1, rank=5) in first
    assert all(one is two for one, two in zip(first, second, strict=True))


def test_events_are_typed() -> None:
    assert observe().events == (
        Dealt((None, cards("R1 G3 B2 B2 Y5"))),
        Hinted(0, 1, "R", None, (0,)),
        Played(1, 0, Card("Y", 2), success=True),
        Drawn(1, 4, Card("Y", 5)),
        Discarded(0, 1, Card("B", 2)),
        Drawn(0, 4, None),
        Swapped(1, 0, 2),
    )


@every(
    "wire",
    [
        {"type": "play", "card": 3},
        {"type": "discard", "card": 0},
        {"type": "hint", "to": 2, "color": "G"},
        {"type": "hint", "to": 2, "rank": 4},
        {"type": "swap", "first": 1, "second": 4},
    ],
)
def test_actions_travel_both_ways(wire: dict[str, Any]) -> None:
    action = hanabi.action_from_wire(wire)
    assert isinstance(action, hanabi.ACTION_TYPES)
    assert hanabi.action_to_wire(action) == wire


def test_actions_are_checked_and_compared_by_kind_and_numbers() -> None:
    with pytest.raises(ValueError, match="not an action"):
        hanabi.action_from_wire({"type": "bluff"})

    class Three:
        def __index__(self) -> int:
            return 3

    assert type(Play(Three()).card) is int  # type: ignore[arg-type] - as a NumPy integer would be
    assert Play(1) != Discard(1)
    assert len({Play(1), Discard(1), Play(1)}) == 2


@every(
    "wrong",
    [
        lambda: Play("1"),
        lambda: Play(True),
        lambda: Discard(1.0),
        lambda: Swap(0, None),
        lambda: Hint("1", rank=1),
        lambda: Hint(1),
        lambda: Hint(1, color="R", rank=1),
        lambda: Hint(1, color=2),
        lambda: Hint(1, rank="2"),
    ],
)
def test_wrong_types_are_refused_where_they_are_written(wrong: Any) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_values_can_be_read_and_written_and_not_changed() -> None:
    with pytest.raises(AttributeError):
        Card("R", 1).rank = 2  # type: ignore[misc] - that is the point
    with pytest.raises(TypeError):
        observe().fireworks["R"] = 5  # type: ignore[index] - that is the point
    assert str(Card.parse("W4")) == "W4"
    with pytest.raises(ValueError, match="'X9'"):
        Card.parse("X9")
    assert "cards=?? ?? ?? ?? ??" in repr(observe())
    assert "cards=R1 G3 B2 B2 Y5" in repr(observe())
