"""Hearts with its options fixed: how it is dealt, and how its actions are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from grader.core.deals import CHOSEN_BLOCKS
from grader.core.errors import RecordError, RulesError
from grader.core.games.base import Game, JsonObject, OptionField
from grader.core.games.checks import shown
from grader.core.games.hearts.cards import (
    ALL_POINTS,
    BY_NOTATION,
    MAX_EXTRA_HANDS,
    PLACE,
    ChosenDecks,
    Shuffler,
    deck,
)
from grader.core.games.hearts.endings import ENDING_WORDS
from grader.core.games.hearts.options import (
    MAX_HANDS,
    OPTION_FIELDS,
    VARIANTS,
    HeartsOptions,
    read_options,
)
from grader.core.games.hearts.rules import HeartsState


@dataclass(frozen=True, slots=True)
class Hearts(Game):
    """Hearts with its options fixed."""

    rules: HeartsOptions

    name: ClassVar[str] = "hearts"
    title: ClassVar[str] = "Hearts"
    rules_version: ClassVar[int] = 1
    practice_blocks: ClassVar[bytes] = CHOSEN_BLOCKS  # as ever, though chosen for Hanabi
    lower_is_better: ClassVar[bool] = True
    competitive: ClassVar[bool] = True
    default_players: ClassVar[int] = 4
    endings: ClassVar[Mapping[str, str]] = ENDING_WORDS
    options_type: ClassVar[type] = HeartsOptions
    variant_titles: ClassVar[Mapping[str, str]] = {
        "standard": "Standard rules",
        "fit2102": "Monash FIT2102 rules",
    }
    option_fields: ClassVar[tuple[OptionField, ...]] = OPTION_FIELDS

    @classmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        return VARIANTS

    @classmethod
    def from_options(cls, options: JsonObject) -> Self:
        return cls(read_options(options))

    @property
    def options(self) -> JsonObject:
        return self.rules.json()

    @property
    def seats(self) -> int:
        return self.rules.players

    @property
    def fault_scores(self) -> tuple[int, ...]:
        return (self.score_range[1],) * self.rules.players

    @property
    def score_range(self) -> tuple[int, int]:
        rules = self.rules
        hands = rules.hands or MAX_HANDS
        low = 0 if rules.moon == "others" else -ALL_POINTS * hands
        reached = rules.end_at - 1 + ALL_POINTS * (1 + MAX_EXTRA_HANDS)
        return low, ALL_POINTS * rules.hands if rules.hands else reached

    def deal(self, seed: bytes) -> HeartsState:
        return HeartsState(self.rules, Shuffler(self.rules.players, seed))

    def start(self, decks: Sequence[Sequence[str]]) -> HeartsState:
        """Start a play from decks of one's choice, one a hand, again and again from the first.

        Raises RulesError unless each is a permutation of the cards that are used.
        """
        cards = deck(self.rules.players)
        if not decks or any(sorted(deck, key=PLACE.get) != list(cards) for deck in decks):  # type: ignore[arg-type]
            raise RulesError(f"a deck is the {len(cards)} cards in any order")
        return HeartsState(self.rules, ChosenDecks(decks))

    def notate(self, action: JsonObject) -> str:
        card: str = action["card"]
        return card if action["type"] == "play" else f"p{card}"

    def parse(self, notation: str) -> JsonObject:
        try:
            return BY_NOTATION[notation]
        except KeyError:
            raise RecordError(f"no action of this game is written {shown(notation)}") from None
