"""Guess whether the next card is higher or lower: games for one, by the size of the deck.

A package that brings several games under one name, as a library of games would.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass
from typing import ClassVar, Self

from grader.core.chance import Chance
from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import ChanceIn, Game, JsonObject, State


@dataclass(frozen=True)
class Options:
    variant: str = "standard"
    """The named set of options."""
    players: int = 1
    """One player."""


@dataclass(frozen=True)
class Guessing(Game):
    chosen: Options = Options()

    rules_version = 1
    default_players = 1
    chance = ChanceIn.PLAY
    endings: ClassVar[Mapping[str, str]] = {"deck": "all cards were turned up"}
    options_type = Options
    cards: ClassVar[int]

    @classmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        return {"standard": {}}

    @classmethod
    def from_options(cls, options: JsonObject) -> Self:
        values = {**asdict(Options()), **options}
        checks.refuse_unknown(values, asdict(Options()))
        variant = checks.word(values, "variant", cls.variants())
        return cls(Options(variant, checks.integer(values, "players", 1, 1)))

    @property
    def options(self) -> JsonObject:
        return asdict(self.chosen)

    @property
    def seats(self) -> int:
        return 1

    @property
    def fault_scores(self) -> tuple[int, ...]:
        return (0,)

    @property
    def score_range(self) -> tuple[int, int]:
        return (0, self.cards - 1)

    def deal(self, seed: bytes) -> "Cards":
        return Cards(Chance(seed, "deck").shuffled(range(1, self.cards + 1)))

    def notate(self, action: JsonObject) -> str:
        return str(action["type"])

    def parse(self, notation: str) -> JsonObject:
        if notation not in {"higher", "lower"}:
            raise RecordError(f"no guess {checks.shown(notation)}")
        return {"type": notation}


class Cards(State):
    def __init__(self, deck: Sequence[int]) -> None:
        self.deck = deck
        self.guesses: list[str] = []

    @property
    def turn(self) -> int:
        return len(self.guesses)

    @property
    def seat_to_act(self) -> int | None:
        return None if self.ending else 0

    @property
    def ending(self) -> str | None:
        return "deck" if len(self.guesses) == len(self.deck) - 1 else None

    def legal_actions(self) -> Sequence[JsonObject]:
        return () if self.ending else [{"type": "higher"}, {"type": "lower"}]

    def apply(self, action: JsonObject) -> None:
        self.guesses.append(checks.chosen(action, self.legal_actions())["type"])

    def resample(self, seat: int, chance: Chance) -> Self | None:
        other, known = copy(self), self.turn + 1
        other.guesses = list(self.guesses)
        other.deck = [*self.deck[:known], *chance.shuffled(self.deck[known:])]
        return other

    def observe(self, seat: int) -> JsonObject:
        return {"seat": seat, "cards": list(self.deck[: self.turn + 1])}

    def events(self, seat: int) -> Sequence[JsonObject]:
        return [{"type": "card", "card": card} for card in self.deck[: self.turn + 1]]

    def scores(self) -> tuple[int, ...]:
        turned = zip(self.guesses, self.deck, self.deck[1:], strict=False)
        return (sum((then > now) is (guess == "higher") for guess, now, then in turned),)

    def describe(self, action: JsonObject) -> str:
        return f"seat 1 guesses {action['type']} than {self.deck[self.turn]}"

    def text(self) -> str:
        lines = [" ".join(map(str, self.deck[: self.turn + 1]))]
        return "\n".join([*lines, *([f"ending: {self.ending}"] if self.ending else [])])


def games() -> Mapping[str, type[Game]]:
    """The games, by name."""
    made = {}
    for cards in (8, 12):
        name, title = f"patience:guessing_{cards}", f"Guessing with {cards} cards"
        own = {"name": name, "title": title, "cards": cards, "__doc__": Guessing.__doc__}
        made[name] = type(f"Guessing{cards}", (Guessing,), {**own, "__module__": __name__})
    return made
