"""Hanabi with its options fixed: how it is dealt, and how its actions are written."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from grader.core.deals import CHOSEN_BLOCKS, shuffled
from grader.core.errors import RecordError, RulesError
from grader.core.games.base import Game, JsonObject, OptionField
from grader.core.games.checks import shown
from grader.core.games.hanabi.cards import DECK
from grader.core.games.hanabi.endings import ENDING_WORDS
from grader.core.games.hanabi.options import (
    OPTION_FIELDS,
    VARIANT_TITLES,
    VARIANTS,
    HanabiOptions,
    implied,
    read_options,
)
from grader.core.games.hanabi.rules import HanabiState
from grader.core.games.hanabi.tables import notation, tables


@dataclass(frozen=True, slots=True)
class Hanabi(Game):
    """Hanabi with its options fixed."""

    rules: HanabiOptions

    name: ClassVar[str] = "hanabi"
    title: ClassVar[str] = "Hanabi"
    rules_version: ClassVar[int] = 1
    practice_blocks: ClassVar[bytes] = CHOSEN_BLOCKS
    lost_score: ClassVar[int | None] = 0
    lost_reason: ClassVar[str] = "the last life was lost, or a fault ended them"
    endings: ClassVar[Mapping[str, str]] = ENDING_WORDS
    options_type: ClassVar[type] = HanabiOptions
    variant_titles: ClassVar[Mapping[str, str]] = VARIANT_TITLES
    option_fields: ClassVar[tuple[OptionField, ...]] = OPTION_FIELDS

    @classmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        return VARIANTS

    @classmethod
    def from_options(cls, options: JsonObject) -> Self:
        return cls(read_options(options))

    @classmethod
    def implied(cls, chosen: JsonObject) -> JsonObject:
        return implied(chosen)

    @property
    def options(self) -> JsonObject:
        return self.rules.json()

    @property
    def seats(self) -> int:
        return self.rules.players

    @property
    def fault_scores(self) -> tuple[int, ...]:
        return (0,) * self.rules.players

    @property
    def score_range(self) -> tuple[int, int]:
        return 0, 25

    def deal(self, seed: bytes) -> HanabiState:
        return HanabiState(self.rules, shuffled(DECK, seed))

    def start(self, deck: Sequence[str]) -> HanabiState:
        """Start a play from a deck of one's choice, first card dealt first.

        Raises RulesError unless it is a permutation of ``DECK``.
        """
        if Counter(deck) != Counter(DECK):
            raise RulesError("a deck is the fifty cards of DECK in any order")
        return HanabiState(self.rules, deck)

    def notate(self, action: JsonObject) -> str:
        return notation(action)

    def parse(self, notation: str) -> JsonObject:
        try:
            return tables(self.rules).by_notation[notation]
        except KeyError:
            raise RecordError(f"no action of this game is written {shown(notation)}") from None
