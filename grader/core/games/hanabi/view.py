"""A play of Hanabi as the viewer draws it.

Besides what all games have (``grader.core.games.scenes``) a scene of Hanabi has:

``suits``      the five letters in the order of everything below
``fireworks``  the highest rank of each suit
``possible``   points that are still possible, as far as the discards say
``tokens``, ``lives``, ``deck``, ``turns_left``, and how many tokens and lives there were at first
``hand0`` …    of each seat: ``[number, card, colours, ranks]``, what hints leave possible;
               ``None`` for a place without a card. The number says where the card lay in the deck
``cards``      a letter for each of the fifty cards, by suit and rank (``CardFate``)
``wanted``     of each suit the card that fits next, and where it is

and its ``move`` ``type``, and as it was: ``to``, ``told`` and ``cards`` of a hint, ``index`` and
``card`` of what left the hand, ``fits`` of a play, ``drawn``: the place of the new card, and
``place``: which of the fifty ``cards`` it was that was discarded.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from grader.core.games.base import JsonObject
from grader.core.games.hanabi.cards import WORDS
from grader.core.games.hanabi.endings import ENDING_WORDS
from grader.core.games.hanabi.options import COLORS
from grader.core.games.hanabi.rules import HanabiState
from grader.core.games.hanabi.tables import RANKS
from grader.core.games.hanabi.text import ShownTable
from grader.core.games.scenes import Mark, Tone, sentence, with_symbols
from grader.core.words import counted, seat_words

_COPIES: Final = {rank: "1112233445".count(rank) for rank in RANKS}
_LETTERS: Final = {word: letter for letter, word in WORDS.items()}
_COLOURED: Final = re.compile(rf"\b((?:{'|'.join(_LETTERS)})(?: [1-5])?)\b")


class CardFate(StrEnum):
    """The fate of one of the fifty cards. Copies of a card are listed in this order."""

    DISCARDED = "d"
    """It lies among the discards."""
    PLAYED = "p"
    """It is part of a firework."""
    LAST = "l"
    """It is the last copy of a card that is still needed."""
    DEAD = "x"
    """It can no longer be played: a lower card of its suit is gone."""
    OPEN = "o"
    """Anything else."""


def scenes(
    state: HanabiState, actions: Iterable[JsonObject], seat: int | None = None
) -> Iterator[JsonObject]:
    """Show the table at the deal and after each action, which is applied to ``state``.

    With a ``seat``, as that seat sees it: its own cards are ``None``, and ``wanted`` tells only
    which of the others hold a card.
    """
    before = state.table()
    most = {"tokens_at_first": before.tokens, "lives_at_first": before.lives}
    deal = {"seat": None, "said": ["The deal."], "brief": ["deal"], "move": None}
    yield {**most, **_shown(before, seat), **deal, **_consequence(before, before, {})}
    for action in actions:
        words, told = state.describe(action), len(state.events(0))
        state.apply(action)
        after = state.table()
        move = _move(state.events(0)[told:], after)
        done = {
            "seat": before.seat,
            "said": sentence(with_symbols(words, _COLOURED, _suit_of)),
            "brief": _brief(move),
        }
        yield {
            **most,
            **_shown(after, seat),
            **done,
            "move": move,
            **_consequence(before, after, move),
        }
        before = after


# --- The table --------------------------------------------------------------------------------


def _shown(table: ShownTable, viewer: int | None) -> dict[str, Any]:
    reach, seats = reach_of(table), range(len(table.hands))
    return {
        "to_act": None if table.ending else table.seat,
        "scores": [table.points] * len(table.hands),
        "suits": COLORS,
        "fireworks": [table.fireworks[suit] for suit in COLORS],
        "possible": sum(reach.values()) if table.points or not table.ending else 0,
        "tokens": table.tokens,
        "lives": table.lives,
        "deck": table.deck,
        "turns_left": table.turns_left,
        "cards": _fates(table, reach),
        "wanted": [_wanted(table, suit, reach[suit], viewer) for suit in COLORS],
        **{f"hand{seat}": _hand(table, seat, hidden=seat == viewer) for seat in seats},
    }


def _hand(table: ShownTable, seat: int, *, hidden: bool) -> list[list[Any] | None]:
    places = zip(table.numbers[seat], table.hands[seat], table.possible[seat], strict=True)
    return [
        None
        if known is None
        else [number, None if hidden else card, known["colors"], known["ranks"]]
        for number, card, known in places
    ]


def reach_of(table: ShownTable) -> dict[str, int]:
    """The highest rank that each suit can still come to: below the first that is all discarded."""
    gone = Counter(table.discards)
    reach = {}
    for suit in COLORS:
        top = table.fireworks[suit]
        while top < len(RANKS) and gone[f"{suit}{top + 1}"] < _COPIES[str(top + 1)]:
            top += 1
        reach[suit] = top
    return reach


def _fates(table: ShownTable, reach: Mapping[str, int]) -> str:
    gone = Counter(table.discards)
    return "".join(
        _fates_of(gone[suit + rank], int(rank), table.fireworks[suit], reach[suit])
        for suit in COLORS
        for rank in RANKS
    )


def _fates_of(discarded: int, rank: int, top: int, reach: int) -> str:
    copies, played = _COPIES[str(rank)], int(rank <= top)
    left = copies - discarded - played
    rest = CardFate.OPEN
    if rank > reach:
        rest = CardFate.DEAD
    elif not played and left == 1 < copies:
        rest = CardFate.LAST
    return CardFate.DISCARDED * discarded + CardFate.PLAYED * played + rest * left


def _place(table: ShownTable, card: str) -> int:
    before = [f"{suit}{rank}" for suit in COLORS for rank in RANKS]
    start = sum(_COPIES[copy[1]] for copy in before[: before.index(card)])
    return start + table.discards.count(card) - 1


def _wanted(table: ShownTable, suit: str, reach: int, viewer: int | None) -> list[str]:
    """The card that fits next on a firework, and in words where it is; none if it is complete.

    A viewer at the table is told of the hands that it sees.
    """
    top = table.fireworks[suit]
    if top == len(RANKS):
        return []
    card = f"{suit}{top + 1}"
    if reach == top:
        return [card, "all discarded"]
    held = [
        f"{seat_words(seat)}, card {index + 1}"
        for seat, hand in enumerate(table.hands)
        for index, held in enumerate(hand)
        if held == card and seat != viewer
    ]
    elsewhere = "not drawn yet" if viewer is None else "not in sight"
    return [card, "; ".join(held) or elsewhere]


# --- What was done ----------------------------------------------------------------------------


def _move(events: Sequence[JsonObject], table: ShownTable) -> dict[str, Any]:
    done = events[0]
    move = {"type": done["type"]}
    drawn = {event["index"] for event in events if event["type"] == "draw"}
    match done["type"]:
        case "hint":
            told = done.get("color") or str(done["rank"])
            return move | {"to": done["to"], "told": told, "cards": list(done["cards"])}
        case "swap":
            return move | {"first": done["first"], "second": done["second"]}
    move |= {"index": done["index"], "card": done["card"], "drawn": max(drawn, default=None)}
    if done["type"] == "play":
        move["fits"] = done["success"]
    if done["card"] is None or done.get("success"):
        return move
    return move | {"place": _place(table, done["card"])}


def _brief(move: JsonObject) -> list[Any]:
    match move["type"]:
        case "hint":
            told = move["told"]
            what = [told, WORDS[told]] if told in WORDS else ["", told]
            return [f"hints {seat_words(move['to'])}: ", what, f" ({len(move['cards'])})"]
        case "swap":
            return [f"swaps cards {move['first'] + 1} and {move['second'] + 1}"]
    if move["card"] is None:
        return ["discards a card that it lacks"]
    verb = "discards" if move["type"] == "discard" else "plays" if move["fits"] else "misplays"
    return [f"{verb} ", [move["card"][0], move["card"]]]


def _consequence(before: ShownTable, after: ShownTable, move: JsonObject) -> dict[str, Any]:
    lost = sum(reach_of(before).values()) - sum(reach_of(after).values())
    effects, tone, mark = [], Tone.PLAIN, Mark.NONE
    if lost:
        effects, tone, mark = [f"{counted(lost, 'point')} out of reach"], Tone.WARN, Mark.LOSS
    if move.get("fits") is True:
        effects, tone, mark = _won(move["card"]), Tone.GOOD, Mark.GAIN
    elif move.get("fits") is False:
        price = "−1 hint token" if after.lives is None else "−1 life"
        effects, tone, mark = [price, *effects], Tone.BAD, Mark.MISTAKE
    if after.ending:
        effects.append(ENDING_WORDS[after.ending])
    return {"effect": ", ".join(effects), "tone": tone, "mark": mark}


def _suit_of(name: str) -> str:
    return _LETTERS[name.split(maxsplit=1)[0]]


def _won(card: str) -> list[str]:
    complete = [f"{WORDS[card[0]]} is complete"] if card[1] == RANKS[-1] else []
    return ["+1 point", *complete]
