"""The table of Hanabi as text, for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.core.games.base import JsonObject
from grader.core.games.hanabi.cards import WORDS
from grader.core.words import seat_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTable:
    """Everything on a table."""

    turn: int
    seat: int
    """Whose turn it is."""
    ending: str | None
    tokens: int
    lives: int | None
    """``None`` where the rules count none."""
    deck: int
    """Cards left in the deck."""
    turns_left: int | None
    """Turns left in the last round; ``None`` before it."""
    fireworks: Mapping[str, int]
    """The highest rank of each colour, 0 for none."""
    points: int
    discards: Sequence[str]
    hands: Sequence[Sequence[str | None]]
    """By seat; ``None`` for a place without a card."""
    numbers: Sequence[Sequence[int | None]]
    """The same cards' positions in the deck, from 0."""
    possible: Sequence[Sequence[Mapping[str, Any] | None]]
    """The ``colors`` and ``ranks`` that hints leave possible, for each card of each hand."""


def pointed_out(cards: Sequence[str | None], symbol: str) -> str:
    """Return the words for a hint: its colour or rank, and the cards that it touches."""
    touched = [str(place) for place, card in enumerate(cards, 1) if card and symbol in card]
    which = f"card{'s' * (len(touched) > 1)} {', '.join(touched)}" if touched else "no card"
    return f"{WORDS.get(symbol, symbol)}, {which}"


def text_of(table: ShownTable) -> str:
    """Return the table in a few lines: the counters, the fireworks, the discards, each hand."""
    hands = [line for seat in range(len(table.hands)) for line in _hand_lines(table, seat)]
    return "\n".join([*_table_lines(table), *hands])


def observed(observation: JsonObject) -> str:
    """Return the table as a seat sees it: its own cards are question marks."""
    hands = observation["hands"]
    shown = ShownTable(
        turn=observation["turn"],
        seat=observation["seat"] if observation["to_act"] is None else observation["to_act"],
        ending="the game" if observation["to_act"] is None else None,
        tokens=observation["hint_tokens"],
        lives=observation["lives"],
        deck=observation["deck"],
        turns_left=observation["turns_left"],
        fireworks=observation["fireworks"],
        points=observation["score"],
        discards=observation["discards"],
        hands=[_seen(hand) for hand in hands],
        numbers=[hand["ids"] for hand in hands],
        possible=[hand["knowledge"] for hand in hands],
    )
    return text_of(shown)


def _seen(hand: JsonObject) -> list[str | None]:
    places = zip(hand["cards"], hand["ids"], strict=True)
    return ["??" if card is None and number is not None else card for card, number in places]


def _table_lines(table: ShownTable) -> list[str]:
    now = f"over: {table.ending}" if table.ending else f"{seat_words(table.seat)} to act"
    lives = "" if table.lives is None else f", {table.lives} lives"
    left = "" if table.turns_left is None else f", {table.turns_left} turns left"
    built = " ".join(f"{color}{top}" for color, top in table.fireworks.items())
    gone = " ".join(filter(None, (_discarded(table, color) for color in table.fireworks)))
    deck = f", {table.deck} cards in the deck"
    return [
        f"turn {table.turn}, {now}: {table.tokens} hint tokens{lives}{deck}{left}",
        f"  fireworks  {built}   score {table.points}",
        f"  discards   {gone or 'none'}",
    ]


def _discarded(table: ShownTable, color: str) -> str:
    ranks = sorted(card[1] for card in table.discards if card[0] == color)
    return color + "".join(ranks) if ranks else ""


def _hand_lines(table: ShownTable, seat: int) -> list[str]:
    possible = [
        f"{known['colors']}-{known['ranks']}" if known else "-" for known in table.possible[seat]
    ]
    cards = [card or "--" for card in table.hands[seat]]
    return [
        f"  {seat_words(seat)}     {''.join(f'{card:<13}' for card in cards)}".rstrip(),
        f"    may be   {''.join(f'{what:<13}' for what in possible)}".rstrip(),
    ]
