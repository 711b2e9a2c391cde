"""Goofspiel: everybody bids a card at the same time, and the highest bid takes the prize.

Each seat has the cards 1 to N. In each round a prize from 1 to N is turned up. If several bids are
the highest, nobody takes the prize.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Self

from grader.core.chance import Chance
from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import ChanceIn, Game, JsonObject, OptionField, OptionKind
from grader.core.games.grids import Row
from grader.core.games.joint import JointState
from grader.core.words import counted, seat_words

MOST_CARDS = 13


@dataclass(frozen=True)
class Options:
    variant: str = "standard"
    """The named set of options."""
    players: int = 2
    """2 to 10 players."""
    cards: int = MOST_CARDS
    """Cards of each seat, and prizes: 3 to 13."""


@dataclass(frozen=True)
class Goofspiel(Game):
    chosen: Options = Options()

    name = "goofspiel"
    title = "Goofspiel"
    rules_version = 1
    competitive = True
    hides_nothing = True
    chance = ChanceIn.PLAY
    endings: ClassVar[Mapping[str, str]] = {"bids": "all cards were bid"}
    options_type = Options
    option_fields = (OptionField(name="cards", label="Cards of a seat", kind=OptionKind.NUMBER),)

    @classmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        return {"standard": {}, "short": {"cards": 4}}

    @classmethod
    def from_options(cls, options: JsonObject) -> Self:
        variant = checks.word({"variant": "standard", **options}, "variant", cls.variants())
        values = {**asdict(Options()), **cls.variants()[variant], **options}
        checks.refuse_unknown(values, asdict(Options()))
        players = checks.integer(values, "players", 2, 10)
        return cls(Options(variant, players, checks.integer(values, "cards", 3, MOST_CARDS)))

    @property
    def options(self) -> JsonObject:
        return asdict(self.chosen)

    @property
    def seats(self) -> int:
        return self.chosen.players

    @property
    def fault_scores(self) -> tuple[int, ...]:
        return (0,) * self.seats

    @property
    def score_range(self) -> tuple[int, int]:
        return (0, self.chosen.cards * (self.chosen.cards + 1) // 2)

    def deal(self, seed: bytes) -> "Bidding":
        prizes = Chance(seed, "prizes").shuffled(range(1, self.chosen.cards + 1))
        return Bidding(prizes, self.seats)

    def notate(self, action: JsonObject) -> str:
        return f"b{action['card']}"

    def parse(self, notation: str) -> JsonObject:
        if notation not in {f"b{card}" for card in range(1, MOST_CARDS + 1)}:
            raise RecordError(f"no bid {checks.shown(notation)}")
        return bid(int(notation[1:]))


def bid(card: int) -> JsonObject:
    return {"type": "bid", "card": card}


class Bidding(JointState):
    def __init__(self, prizes: Sequence[int], seats: int) -> None:
        super().__init__()
        self.prizes = prizes
        self.rounds: list[tuple[int, ...]] = []
        self.won = [0] * seats

    @property
    def shown_prizes(self) -> Sequence[int]:
        """The prizes so far, that of this round included."""
        return list(self.prizes[: len(self.rounds) + 1])

    @property
    def ending(self) -> str | None:
        return "bids" if len(self.rounds) == len(self.prizes) else None

    def together(self) -> Sequence[int]:
        return () if self.ending else range(len(self.won))

    def legal_for(self, seat: int) -> Sequence[JsonObject]:
        return [bid(card) for card in self.hand(seat)]

    def hand(self, seat: int) -> list[int]:
        spent = {bids[seat] for bids in self.rounds}
        return [card for card in range(1, len(self.prizes) + 1) if card not in spent]

    def play(self, actions: Mapping[int, JsonObject]) -> None:
        bids = tuple(actions[seat]["card"] for seat in sorted(actions))
        winner = winner_of(bids)
        if winner is not None:
            self.won[winner] += self.prizes[len(self.rounds)]
        self.rounds.append(bids)

    def resample(self, seat: int, chance: Chance) -> Self | None:
        other = super().resample(seat, chance)
        if other is not None:
            shown = len(self.shown_prizes)
            other.prizes = [*self.prizes[:shown], *chance.shuffled(self.prizes[shown:])]
        return other

    def observe(self, seat: int) -> JsonObject:
        return {
            "seat": seat,
            "prize": None if self.ending else self.prizes[len(self.rounds)],
            "hands": [self.hand(each) for each in range(len(self.won))],
            "points": list(self.won),
        }

    def events(self, seat: int) -> Sequence[JsonObject]:
        told: list[JsonObject] = [{"type": "prize", "prize": self.prizes[0]}]
        for prize, bids in zip([*self.prizes[1:], None], self.rounds, strict=False):
            told.append({"type": "bids", "cards": list(bids), "winner": winner_of(bids)})
            told += [] if prize is None else [{"type": "prize", "prize": prize}]
        return told

    def scores(self) -> tuple[int, ...]:
        return tuple(self.won)

    def describe(self, action: JsonObject) -> str:
        return f"{seat_words(self.seat_to_act or 0)} bids {action['card']}"

    def text(self) -> str:
        lines = [
            f"{seat_words(seat)}: {points} points, cards {' '.join(map(str, self.hand(seat)))}"
            for seat, points in enumerate(self.won)
        ]
        last = f"ending: {self.ending}" if self.ending else f"prize: {self.shown_prizes[-1]}"
        return "\n".join([*(line.rstrip() for line in lines), last])

    def rows(self, seat: int | None) -> Sequence[Row]:
        prize = () if self.ending else (str(self.shown_prizes[-1]),)
        left = len(self.prizes) - len(self.rounds)
        hands = (
            Row(
                title=seat_words(owner).capitalize(),
                seat=owner,
                cards=tuple(map(str, self.hand(owner))),
                note=counted(points, "point"),
            )
            for owner, points in enumerate(self.won)
        )
        return [Row(title="Prize", cards=prize, note=f"{counted(left, 'round')} to play"), *hands]


def winner_of(bids: Sequence[int]) -> int | None:
    best = max(bids)
    return bids.index(best) if bids.count(best) == 1 else None
