"""Hearts for people: its scenes, a table of cards, and its choices in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from grader.core.games.base import JsonObject, State
from grader.core.games.grids import Colour
from grader.core.games.hearts.cards import SUITS, card_words
from grader.core.games.hearts.losses import LOSS_CAUSES, losses
from grader.core.games.hearts.rules import HeartsState
from grader.core.games.hearts.story import HandStory, hands_of
from grader.core.games.hearts.view import scenes, veiled
from grader.core.games.presentation import Loss, Presentation, Still, StillCard, StillRow, told
from grader.core.words import counted, seat_words


class HeartsPresentation(Presentation):
    """Hearts for people."""

    loss_causes: ClassVar[Mapping[str, str]] = LOSS_CAUSES
    loss_place: ClassVar[str] = "trick"

    def story(self, state: State) -> tuple[HandStory, ...]:
        return hands_of([state.events(seat) for seat in range(self.game.seats)])

    def show(
        self, state: State, actions: Iterable[JsonObject], seat: int | None = None
    ) -> Iterator[JsonObject]:
        assert isinstance(state, HeartsState)  # noqa: S101 - for the type checker
        return scenes(state, actions, seat)

    def still(self, scene: JsonObject, seat: int | None = None) -> Still:
        seen = scene if seat is None else veiled(dict(scene), seat)
        return Still(
            sentence=told(seen),
            figures=tuple(_figures(seen)),
            rows=(_trick(seen), *_hands(seen)),
        )

    def observed(self, observation: JsonObject) -> str:
        """Return the table as a seat sees it: its hand, the trick, everybody's points."""
        now = f"hand {observation['hand_number'] + 1}, trick {observation['tricks_played'] + 1}"
        if observation["phase"] == "pass":
            now = (
                f"hand {observation['hand_number'] + 1}, pass three cards {observation['passing']}"
            )
        trick = " ".join(
            f"{play['card']} ({seat_words(play['seat'])})" for play in observation["trick"]
        )
        broken = ", hearts broken" if observation["hearts_broken"] else ""
        hand = observation["hand_number"] + 1
        held = [" ".join(card for card in observation["hand"] if card[0] == suit) for suit in SUITS]
        return "\n".join(
            [
                f"turn {observation['turn']}: hand {hand}, {now}{broken}",
                f"  trick      {trick or 'none'}",
                f"  this hand  {_by_seat(observation['points'])}",
                f"  totals     {_by_seat(observation['totals'])}",
                f"  your hand  {'   '.join(filter(None, held)) or 'no card'}",
            ]
        )

    def choice(self, observation: JsonObject, action: JsonObject) -> str:
        """Return a legal action as it is offered: ``Lead the queen of spades``."""
        leads = action["type"] == "play" and not observation["trick"]
        verb = "Lead" if leads else action["type"].capitalize()
        return f"{verb} {card_words(action['card'])}"

    def losses(self, seed: bytes, actions: Iterable[JsonObject], seat: int) -> Iterator[Loss]:
        state = self.game.deal(seed)
        assert isinstance(state, HeartsState)  # noqa: S101 - for the type checker
        return losses(state, actions, seat)


def _by_seat(points: Sequence[int]) -> str:
    return ", ".join(f"{seat_words(seat)}: {count}" for seat, count in enumerate(points))


_SHAPES: Final[Mapping[str, str]] = {
    "C": "M12 2.200a4.500 4.500 0 0 0-3.900 6.800A4.600 4.600 0 1 0 11.200 15.600c-.2 "
    "2.600-.9 4.700-2.700 6.400h7c-1.800-1.700-2.500-3.800-2.700-6.400A4.600 4.600 0 "
    "1 0 15.900 9 4.500 4.500 0 0 0 12 2.200Z",
    "D": "M12 1.500 20 12 12 22.500 4 12Z",
    "S": "M12 2C9 6 3 9.600 3 14.200A4.600 4.600 0 0 0 7.600 18.800c1.500 0 2.700-.6 "
    "3.500-1.700-.2 2-.9 3.600-2.600 4.900h7c-1.700-1.300-2.400-2.900-2.600-4.900.8 "
    "1.100 2 1.700 3.500 1.700A4.600 4.600 0 0 0 21 14.200C21 9.600 15 6 12 2Z",
    "H": "M12 21.300 10.600 20C5.400 15.400 2 12.300 2 8.500 2 5.400 4.400 3 7.500 3c1.700 "
    "0 3.400.8 4.500 2.100C13.100 3.800 14.800 3 16.500 3 19.600 3 22 5.400 22 "
    "8.500c0 3.800-3.400 6.900-8.600 11.500Z",
}


def _figures(scene: JsonObject) -> Iterator[tuple[str, str]]:
    yield "Hand", str(scene["part"])
    yield "Trick", str(scene["number"])
    yield "Passing", str(scene["passing"])


def _trick(scene: JsonObject) -> StillRow:
    cards = tuple(_card(card, f"{seat_words(seat)}: ") for seat, card in scene["trick"])
    taken = "" if scene["winner"] is None else f"{seat_words(scene['winner'])} takes it"
    return StillRow(title="Trick", cards=cards, note=taken if cards else "no card yet")


def _hands(scene: JsonObject) -> Iterator[StillRow]:
    for seat, score in enumerate(scene["scores"]):
        cards = tuple(_card(card) for card in scene[f"hand{seat}"].split())
        notes = [counted(score, "point"), "to act" if scene["to_act"] == seat else ""]
        note = ", ".join(filter(None, notes))
        yield StillRow(title=seat_words(seat).capitalize(), seat=seat, cards=cards, note=note)


def _card(card: str, before: str = "") -> StillCard:
    if card == "?":
        return StillCard(words="a card, face down")
    suit, rank = card[0], card[1]
    return StillCard(
        suit=suit,
        colour=Colour.RED_PRINT if suit in "DH" else Colour.PAPER,
        rank="10" if rank == "T" else rank,
        path=_SHAPES[suit],
        words=f"{before}{card_words(card)}",
    )


PRESENTATION: Final = HeartsPresentation
