"""Hanabi for people: its scenes, a table of cards, and its choices in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any, ClassVar, Final

from grader.core.deals import shuffled
from grader.core.games.base import JsonObject, State
from grader.core.games.grids import Colour
from grader.core.games.hanabi.cards import DECK, WORDS
from grader.core.games.hanabi.game import Hanabi
from grader.core.games.hanabi.hanab_live import on_hanab_live
from grader.core.games.hanabi.losses import LOSS_CAUSES, losses
from grader.core.games.hanabi.rules import HanabiState
from grader.core.games.hanabi.tables import RANKS
from grader.core.games.hanabi.text import observed
from grader.core.games.hanabi.view import scenes
from grader.core.games.presentation import (
    Elsewhere,
    Loss,
    Presentation,
    Still,
    StillCard,
    StillRow,
    told,
)
from grader.core.words import seat_words


class HanabiPresentation(Presentation):
    """Hanabi for people. Nothing tells a seat more of its cards than it may know."""

    loss_causes: ClassVar[Mapping[str, str]] = LOSS_CAUSES

    def show(
        self, state: State, actions: Iterable[JsonObject], seat: int | None = None
    ) -> Iterator[JsonObject]:
        assert isinstance(state, HanabiState)  # noqa: S101 - for the type checker
        return scenes(state, actions, seat)

    def still(self, scene: JsonObject, seat: int | None = None) -> Still:
        return Still(
            sentence=told(scene),
            figures=tuple(_figures(scene)),
            rows=(_fireworks(scene), *_hands(scene, seat), _discards(scene)),
        )

    def observed(self, observation: JsonObject) -> str:
        return observed(observation)

    def choice(self, observation: JsonObject, action: JsonObject) -> str:
        """Return a legal action as it is offered: ``Hint seat 2: red (cards 1 and 4)``."""
        match action["type"]:
            case "hint":
                told = action.get("color") or str(action["rank"])
                hand = observation["hands"][action["to"]]["cards"]
                touched = [str(at) for at, card in enumerate(hand, 1) if card and told in card]
                words = _counted_cards(touched)
                return f"Hint {seat_words(action['to'])}: {WORDS.get(told, told)} ({words})"
            case "swap":
                return f"Swap cards {action['first'] + 1} and {action['second'] + 1}"
            case kind:
                return f"{kind.capitalize()} card {action['card'] + 1}"

    def losses(self, seed: bytes, actions: Iterable[JsonObject], seat: int) -> Iterator[Loss]:  # noqa: ARG002 - all seats lose alike
        return losses(self._rules.deal(seed), actions)

    def elsewhere(self, seed: bytes, actions: Iterable[JsonObject]) -> Elsewhere:
        return on_hanab_live(self._rules.rules, shuffled(DECK, seed), actions)

    @property
    def _rules(self) -> Hanabi:
        assert isinstance(self.game, Hanabi)  # noqa: S101 - for the type checker
        return self.game


def _counted_cards(touched: list[str]) -> str:
    if len(touched) < 2:
        return f"card {touched[0]}" if touched else "no card"
    return f"cards {', '.join(touched[:-1])} and {touched[-1]}"


def _star() -> str:
    radii = [4.7 if at % 2 else 11.2 for at in range(10)]
    points = [
        f"{12 + radius * sin(at * pi / 5):.2f} {12.9 - radius * cos(at * pi / 5):.2f}"
        for at, radius in enumerate(radii)
    ]
    return f"M{'L'.join(points)}Z"


_COLOURS: Final[Mapping[str, Colour]] = {
    "R": Colour.RED,
    "Y": Colour.YELLOW,
    "G": Colour.GREEN,
    "W": Colour.WHITE,
    "B": Colour.BLUE,
}
_SHAPES: Final[Mapping[str, str]] = {
    "R": "M12 3.2 21.6 20.2 2.4 20.2Z",
    "Y": _star(),
    "G": "M9 2.4h6V9h6.6v6H15v6.6H9V15H2.4V9H9Z",
    "W": "M2.2 12a9.8 9.8 0 1 0 19.6 0a9.8 9.8 0 1 0 -19.6 0ZM7.6 12a4.4 4.4 0 1 0 8.8 0"
    "a4.4 4.4 0 1 0 -8.8 0Z",
    "B": "M12 1.2 20.4 12 12 22.8 3.6 12Z",
}
"""Each suit's shape, as ``viewer/draw.js`` has it: triangle, star, plus, ring, diamond."""


def _figures(scene: JsonObject) -> Iterator[tuple[str, str]]:
    yield "Points", f"{scene['scores'][0]} of 25"
    yield "Still possible", str(scene["possible"])
    yield "Hint tokens", f"{scene['tokens']} of {scene['tokens_at_first']}"
    if scene["lives"] is not None:
        yield "Lives", f"{scene['lives']} of {scene['lives_at_first']}"
    yield "Deck", str(scene["deck"])


def _card(card: str, more: str = "") -> StillCard:
    suit, rank = card[0], card[1]
    words = f"{WORDS[suit]} {rank}{more}"
    return StillCard(
        suit=suit, rank=rank, letter=suit, colour=_COLOURS[suit], path=_SHAPES[suit], words=words
    )


def _fireworks(scene: JsonObject) -> StillRow:
    tops = zip(scene["suits"], scene["fireworks"], strict=True)
    cards = tuple(_card(f"{suit}{top}", " of 5") for suit, top in tops)
    return StillRow(title="Fireworks", cards=cards)


def _hands(scene: JsonObject, viewer: int | None) -> Iterator[StillRow]:
    for seat in range(len(scene["scores"])):
        places = enumerate(scene[f"hand{seat}"])
        cards = tuple(_held(slot, index, hidden=seat == viewer) for index, slot in places)
        note = "to act" if scene["to_act"] == seat else ""
        yield StillRow(title=seat_words(seat).capitalize(), seat=seat, cards=cards, note=note)


def _held(slot: Sequence[Any] | None, index: int, *, hidden: bool) -> StillCard:
    if slot is None:
        return StillCard(words="empty place")
    return StillCard(words=f"card {index + 1}, face down") if hidden else _card(slot[1])


def _discards(scene: JsonObject) -> StillRow:
    ranks = [rank for rank in RANKS for _ in range("1112233445".count(rank))]
    fifty = [f"{suit}{rank}" for suit in scene["suits"] for rank in ranks]
    gone = [card for card, fate in zip(fifty, scene["cards"], strict=True) if fate == "d"]
    return StillRow(title="Discards", cards=tuple(map(_card, gone)), note="" if gone else "none")


PRESENTATION: Final = HanabiPresentation
