"""A scene of Hanabi as rows of cards (``grader.core.games.stills``)."""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any, Final

from grader.core.games.base import JsonObject
from grader.core.games.hanabi.cards import WORDS
from grader.core.games.hanabi.tables import RANKS
from grader.core.games.scenes import plain
from grader.core.games.stills import Card, Row, Still

__all__ = ["SHAPES", "still"]


def _star() -> str:
    radii = [4.7 if at % 2 else 11.2 for at in range(10)]
    points = [
        f"{12 + radius * sin(at * pi / 5):.2f} {12.9 - radius * cos(at * pi / 5):.2f}"
        for at, radius in enumerate(radii)
    ]
    return f"M{'L'.join(points)}Z"


SHAPES: Final[Mapping[str, str]] = {
    "R": "M12 3.2 21.6 20.2 2.4 20.2Z",
    "Y": _star(),
    "G": "M9 2.4h6V9h6.6v6H15v6.6H9V15H2.4V9H9Z",
    "W": "M2.2 12a9.8 9.8 0 1 0 19.6 0a9.8 9.8 0 1 0 -19.6 0ZM7.6 12a4.4 4.4 0 1 0 8.8 0"
    "a4.4 4.4 0 1 0 -8.8 0Z",
    "B": "M12 1.2 20.4 12 12 22.8 3.6 12Z",
}
"""Each suit's shape, as ``viewer/draw.js`` has it: triangle, star, plus, ring, diamond."""


def still(scene: JsonObject, viewer: int | None) -> Still:
    """Return the table; with a viewer, as that seat sees it."""
    return Still(
        sentence=" ".join(filter(None, [plain(scene["said"]), _sentence(scene["effect"])])),
        figures=tuple(_figures(scene)),
        rows=(_fireworks(scene), *_hands(scene, viewer), _discards(scene)),
    )


def _sentence(effect: str) -> str:
    return f"{effect[:1].upper()}{effect[1:]}." if effect else ""


def _figures(scene: JsonObject) -> Iterator[tuple[str, str]]:
    yield "Points", f"{scene['scores'][0]} of 25"
    yield "Still possible", str(scene["possible"])
    yield "Hint tokens", f"{scene['tokens']} of {scene['tokens_at_first']}"
    if scene["lives"] is not None:
        yield "Lives", f"{scene['lives']} of {scene['lives_at_first']}"
    yield "Deck", str(scene["deck"])


def _card(card: str, more: str = "") -> Card:
    suit, rank = card[0], card[1]
    words = f"{WORDS[suit]} {rank}{more}"
    return Card(suit=suit, rank=rank, letter=suit, path=SHAPES[suit], words=words)


def _fireworks(scene: JsonObject) -> Row:
    tops = zip(scene["suits"], scene["fireworks"], strict=True)
    cards = tuple(_card(f"{suit}{top}", " of 5") for suit, top in tops)
    return Row(title="Fireworks", cards=cards)


def _hands(scene: JsonObject, viewer: int | None) -> Iterator[Row]:
    for seat in range(len(scene["scores"])):
        places = enumerate(scene[f"hand{seat}"])
        cards = tuple(_held(slot, index, hidden=seat == viewer) for index, slot in places)
        note = "to act" if scene["to_act"] == seat else ""
        yield Row(title=f"Seat {seat}", seat=seat, cards=cards, note=note)


def _held(slot: Sequence[Any] | None, index: int, *, hidden: bool) -> Card:
    if slot is None:
        return Card(words="empty place")
    return Card(words=f"card {index}, face down") if hidden else _card(slot[1])


def _discards(scene: JsonObject) -> Row:
    """The discards by suit and rank: ``cards`` has a letter for each of the fifty."""
    ranks = [rank for rank in RANKS for _ in range("1112233445".count(rank))]
    fifty = [f"{suit}{rank}" for suit in scene["suits"] for rank in ranks]
    gone = [card for card, fate in zip(fifty, scene["cards"], strict=True) if fate == "d"]
    return Row(title="Discards", cards=tuple(map(_card, gone)), note="" if gone else "none")
