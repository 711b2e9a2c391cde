"""Hearts, everybody for themselves: tricks without trumps; hearts and one queen cost points.

Sources: J. McLeod, *Hearts* (pagat.com, 2024); the rules of the course FIT2102 of Monash
University; OpenSpiel's ``hearts``, with which ``standard`` agrees move for move (tests drive it).

Choices made where the sources leave one, beyond the options:

- The deck is 52 cards, sorted by suit (C D S H) and rank, without the two of diamonds if there are
  three players. Hand ``k`` of a game is shuffled as ``grader.core.deals`` says, from the game's
  deal seed for ``k = 0``, from HMAC-SHA-256(key=deal seed, message="firebox hand v1" ‖ uint64be(k))
  for others. Seat 0 is dealt the first cards, seat 1 the next, and so on.
- Play goes to the next higher seat number. *Left* is that seat.
- Who passes does so card by card, seat 0 all three first, and so on; nobody sees what the others
  pass before all have.
- The two of clubs leads the first trick of a hand. A heart may be led when one was played in an
  earlier trick (or the queen of spades, with ``queen_breaks``), or from a hand of hearts only.
- A hand is played to its last card. A heart is a point, the queen of spades thirteen. The score of
  a seat is its total: the fewer the better.
- After ``end_at`` is reached, at most three more hands are played to part those who have fewest;
  and no game has more than ``MAX_HANDS``.

The order of legal actions: by suit and rank.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Self

from grader.core.deals import shuffled
from grader.core.errors import IllegalAction, RecordError, RulesError
from grader.core.games.base import Game, JsonObject, OptionField, State
from grader.core.games.checks import shown
from grader.core.games.hearts_options import (
    MAX_HANDS,
    OPTION_FIELDS,
    VARIANTS,
    HeartsOptions,
    read_options,
)
from grader.core.games.hearts_story import HandTold, told

SUITS: Final = "CDSH"
RANKS: Final = "23456789TJQKA"
CARDS: Final = tuple(suit + rank for suit in SUITS for rank in RANKS)
"""All cards, sorted."""

ALL_POINTS: Final = 26
PASSED_CARDS: Final = 3
MAX_EXTRA_HANDS: Final = 3
"""Played for a single lowest seat after ``end_at`` was reached."""

_PLACE: Final = {card: place for place, card in enumerate(CARDS)}
_POINTS: Final = {card: 1 if card[0] == "H" else 13 * (card == "SQ") for card in CARDS}
_FIRST_LEAD: Final = "C2"
_QUEEN: Final = "SQ"
_LEFT_OUT: Final = "D2"
_DIRECTIONS: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("across", "none"),
    3: ("left", "right", "none"),
    4: ("left", "right", "across", "none"),
}
_STEPS: Final = {"left": 1, "right": -1, "across": None}
_SUIT_WORDS: Final = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}
_RANK_WORDS: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


class Ending(StrEnum):
    """Why a game of Hearts was over."""

    HANDS = "hands"
    """All its hands were played."""
    TOTAL = "total"
    """A total reached ``end_at``, and one seat had fewest points."""
    TIED = "tied"
    """A total reached ``end_at``, and three more hands left several with fewest points."""
    HAND_LIMIT = "hand_limit"
    """The most hands that a game may have were played, and neither of the two above came first."""


ENDING_WORDS: Final[Mapping[str, str]] = {
    Ending.HANDS: "all hands played",
    Ending.TOTAL: "a total was reached",
    Ending.TIED: "still tied after three more hands",
    Ending.HAND_LIMIT: "too many hands",
}


def deck(players: int) -> tuple[str, ...]:
    """The cards that so many players use, sorted: what is shuffled."""
    return tuple(card for card in CARDS if players != 3 or card != _LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Hearts(Game):
    """Hearts with its options fixed."""

    rules: HeartsOptions

    name: ClassVar[str] = "hearts"
    title: ClassVar[str] = "Hearts"
    rules_version: ClassVar[int] = 1
    fewest_wins: ClassVar[bool] = True
    competitive: ClassVar[bool] = True
    usual_players: ClassVar[int] = 4
    endings: ClassVar[Mapping[str, str]] = ENDING_WORDS
    options_type: ClassVar[type] = HeartsOptions
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

    def deal(self, seed: bytes) -> "HeartsState":
        return HeartsState(self.rules, _Shuffler(self.rules.players, seed))

    def start(self, decks: Sequence[Sequence[str]]) -> "HeartsState":
        """Start a play from decks of one's choice, one a hand, again and again from the first.

        Raises RulesError unless each is a permutation of the cards that are used.
        """
        cards = deck(self.rules.players)
        if not decks or any(sorted(each, key=_PLACE.get) != list(cards) for each in decks):  # type: ignore[arg-type]
            raise RulesError(f"a deck is the {len(cards)} cards in any order")
        return HeartsState(self.rules, _Chosen(decks))

    def story(self, state: State) -> tuple[HandTold, ...]:
        return told([state.events(seat) for seat in range(self.seats)])

    def notate(self, action: JsonObject) -> str:
        card: str = action["card"]
        return card if action["type"] == "play" else f"p{card}"

    def parse(self, notation: str) -> JsonObject:
        try:
            return _BY_NOTATION[notation]
        except KeyError:
            raise RecordError(f"no action of this game is written {shown(notation)}") from None


_PLAYS: Final[Mapping[str, JsonObject]] = {card: {"type": "play", "card": card} for card in CARDS}
_PASSES: Final[Mapping[str, JsonObject]] = {card: {"type": "pass", "card": card} for card in CARDS}
_BY_NOTATION: Final = {**_PLAYS, **{f"p{card}": action for card, action in _PASSES.items()}}


class _Shuffler:
    """The decks that follow from a deal seed."""

    def __init__(self, players: int, seed: bytes) -> None:
        self._cards = deck(players)
        self._seed = seed

    def __call__(self, number: int) -> Sequence[str]:
        seed = self._seed
        if number:
            message = b"firebox hand v1" + number.to_bytes(8, "big")
            seed = hmac.digest(seed, message, "sha256")
        return shuffled(self._cards, seed)


class _Chosen:
    """Decks that somebody chose."""

    def __init__(self, decks: Sequence[Sequence[str]]) -> None:
        self._decks = decks

    def __call__(self, number: int) -> Sequence[str]:
        return self._decks[number % len(self._decks)]


class HeartsState(State):
    """One play. What it hands out is never changed later: lists that change are made anew."""

    def __init__(self, rules: HeartsOptions, decks: "_Shuffler | _Chosen") -> None:
        self._rules = rules
        self._decks = decks
        self._seats = range(rules.players)
        self._turn = 0
        self._number = 0
        self._ending: Ending | None = None
        self._totals = (0,) * rules.players
        self._overtime = 0
        self._events: list[list[JsonObject]] = [[] for _ in self._seats]
        self._deal()

    # --- One hand -----------------------------------------------------------------------------

    def _deal(self) -> None:
        cards = self._decks(self._number)
        size = len(cards) // self._rules.players
        self._hands = [_sorted(cards[seat * size : (seat + 1) * size]) for seat in self._seats]
        self._trick: tuple[tuple[int, str], ...] = ()
        self._taken: list[tuple[str, ...]] = [()] * self._rules.players
        self._passed: list[tuple[str, ...]] = [()] * self._rules.players
        self._received: list[tuple[str, ...]] = [()] * self._rules.players
        self._broken = False
        self._tricks = 0
        self._passing = self._direction()
        self._in_passing = self._passing != "none"
        for seat in self._seats:
            hand, deal = self._hands[seat], {"type": "deal", "hand_number": self._number}
            self._events[seat].append({**deal, "passing": self._passing, "cards": hand})
        self._seat = 0 if self._in_passing else self._opener()

    def _direction(self) -> str:
        if self._rules.passing == "none":
            return "none"
        directions = _DIRECTIONS[self._rules.players]
        return directions[self._number % len(directions)]

    def _opener(self) -> int:
        return next(seat for seat in self._seats if _FIRST_LEAD in self._hands[seat])

    def _receiver(self, seat: int) -> int:
        step = _STEPS[self._passing]
        players = self._rules.players
        return (seat + (players // 2 if step is None else step)) % players

    # --- The interface ------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self._turn

    @property
    def seat_to_act(self) -> int | None:
        return None if self._ending else self._seat

    @property
    def ending(self) -> str | None:
        return self._ending

    def scores(self) -> tuple[int, ...]:
        return self._totals

    def events(self, seat: int) -> Sequence[JsonObject]:
        return self._events[seat]

    def legal_actions(self) -> Sequence[JsonObject]:
        if self._ending:
            return ()
        if self._in_passing:
            return [_PASSES[card] for card in self._hands[self._seat]]
        return [_PLAYS[card] for card in self._playable()]

    def observe(self, seat: int) -> JsonObject:
        return {
            "turn": self._turn,
            "seat": seat,
            "to_act": None if self._ending else self._seat,
            "hand_number": self._number,
            "phase": "pass" if self._in_passing else "play",
            "passing": self._passing,
            "passed": self._passed[seat],
            "received": self._received[seat],
            "hand": self._hands[seat],
            "trick": [{"seat": at, "card": card} for at, card in self._trick],
            "tricks_played": self._tricks,
            "hearts_broken": self._broken,
            "taken": tuple(self._taken),
            "points": self._points(),
            "totals": self._totals,
        }

    def apply(self, action: JsonObject) -> None:
        if self._ending:
            raise IllegalAction("the game is over")
        if not isinstance(action, dict):
            raise IllegalAction("an action is an object such as {'type': 'play', 'card': 'SQ'}")
        kind, due = action.get("type"), "pass" if self._in_passing else "play"
        if type(kind) is not str or kind != due:
            raise IllegalAction(f"type is {shown(kind)}; allowed: {due}")
        card = self._held(action)
        if self._in_passing:
            self._pass(card)
        else:
            self._play(card)
        self._turn += 1

    def _held(self, action: JsonObject) -> str:
        """A card of the seat to act."""
        card, hand = action.get("card"), self._hands[self._seat]
        if type(card) is not str or card not in _PLACE:
            raise IllegalAction(f"card is {shown(card)}; a card is a suit and a rank, such as SQ")
        if card not in hand:
            raise IllegalAction(f"card is {card}, which is not in the hand {' '.join(hand)}")
        return card

    # --- Passing ------------------------------------------------------------------------------

    def _pass(self, card: str) -> None:
        seat = self._seat
        self._hands[seat] = _without(self._hands[seat], card)
        self._passed[seat] += (card,)
        said = {"type": "pass", "seat": seat, "to": self._receiver(seat)}
        self._tell({**said, "card": None}, {seat: {**said, "card": card}})
        if len(self._passed[seat]) < PASSED_CARDS:
            return
        if seat + 1 < self._rules.players:
            self._seat = seat + 1
            return
        self._exchange()

    def _exchange(self) -> None:
        for giver in self._seats:
            taker, cards = self._receiver(giver), self._passed[giver]
            self._received[taker] = cards
            self._hands[taker] = _sorted([*self._hands[taker], *cards])
            said = {"type": "receive", "seat": taker, "from": giver}
            seen = {**said, "cards": cards}
            self._tell({**said, "cards": None}, {taker: seen, giver: seen})
        self._in_passing = False
        self._seat = self._opener()

    # --- Playing ------------------------------------------------------------------------------

    def _playable(self) -> Sequence[str]:
        """The cards of the seat to act that the rules allow; at least one."""
        hand = self._hands[self._seat]
        if not self._trick:
            return self._leads(hand)
        suit = self._trick[0][1][0]
        following = [card for card in hand if card[0] == suit]
        if following:
            return following
        if self._tricks == 0 and self._rules.bleeding == "strict":
            return [card for card in hand if not _POINTS[card]] or hand
        return hand

    def _leads(self, hand: Sequence[str]) -> Sequence[str]:
        if self._tricks == 0:
            return (_FIRST_LEAD,)
        if self._broken:
            return hand
        return [card for card in hand if card[0] != "H"] or hand

    def _play(self, card: str) -> None:
        if card not in self._playable():
            raise IllegalAction(self._objection(card))
        seat = self._seat
        self._hands[seat] = _without(self._hands[seat], card)
        self._trick += ((seat, card),)
        self._tell({"type": "play", "seat": seat, "card": card})
        if len(self._trick) < self._rules.players:
            self._seat = (seat + 1) % self._rules.players
            return
        self._end_trick()
        if not any(self._hands):
            self._end_hand()

    def _objection(self, card: str) -> str:
        """Why a card that is in the hand can't be played."""
        if not self._trick and self._tricks == 0:
            return f"card is {card}; the first trick of a hand is led with {_FIRST_LEAD}"
        if not self._trick:
            return f"card is {card}; hearts are not broken yet, and the hand has other cards"
        suit = self._trick[0][1][0]
        if any(held[0] == suit for held in self._hands[self._seat]):
            return f"card is {card}; {_SUIT_WORDS[suit]} were led, and the hand has some"
        return f"card is {card}; no points are played in the first trick of a hand"

    def _end_trick(self) -> None:
        suit = self._trick[0][1][0]
        following = [(RANKS.index(card[1]), at) for at, card in self._trick if card[0] == suit]
        winner = max(following)[1]
        cards = tuple(card for _, card in self._trick)
        self._taken[winner] += cards
        points = sum(_POINTS[card] for card in cards)
        self._broken = self._broken or any(
            card[0] == "H" or (card == _QUEEN and self._rules.queen_breaks) for card in cards
        )
        self._trick = ()
        self._tricks += 1
        self._seat = winner
        self._tell({"type": "trick", "winner": winner, "points": points})

    def _points(self) -> tuple[int, ...]:
        """What the cards taken in this hand cost each seat, before it is known to be a moon."""
        return tuple(sum(_POINTS[card] for card in cards) for cards in self._taken)

    def _end_hand(self) -> None:
        points = self._points()
        moon = points.index(ALL_POINTS) if ALL_POINTS in points else None
        if moon is not None:
            points = self._moon(moon)
        self._totals = tuple(map(sum, zip(self._totals, points, strict=True)))
        self._tell({"type": "hand", "points": points, "totals": self._totals, "moon": moon})
        self._ending = self._verdict()
        if self._ending is None:
            self._number += 1
            self._deal()

    def _moon(self, seat: int) -> tuple[int, ...]:
        mine, theirs = (0, ALL_POINTS) if self._rules.moon == "others" else (-ALL_POINTS, 0)
        return tuple(mine if at == seat else theirs for at in self._seats)

    def _verdict(self) -> Ending | None:
        """Whether the hand that has just been scored was the last one."""
        played = self._number + 1
        if self._rules.hands:
            return Ending.HANDS if played == self._rules.hands else None
        if max(self._totals) >= self._rules.end_at:
            if self._totals.count(min(self._totals)) == 1:
                return Ending.TOTAL
            if self._overtime == MAX_EXTRA_HANDS:
                return Ending.TIED
            self._overtime += 1
        return Ending.HAND_LIMIT if played == MAX_HANDS else None

    def _tell(self, event: JsonObject, others: Mapping[int, JsonObject] | None = None) -> None:
        """Tell every seat; ``others`` are what some see instead."""
        for seat, log in enumerate(self._events):
            log.append((others or {}).get(seat, event))

    # --- For people ---------------------------------------------------------------------------

    def describe(self, action: JsonObject) -> str:
        card = action["card"]
        if action["type"] == "pass":
            return f"seat {self._seat} passes {_words(card)} to seat {self._receiver(self._seat)}"
        verb = "plays" if self._trick else "leads"
        return f"seat {self._seat} {verb} {_words(card)}"

    def text(self) -> str:
        now = f"over: {self._ending}" if self._ending else f"seat {self._seat} to act"
        passing = f", passing {self._passing}" if self._in_passing else ""
        broken = ", hearts broken" if self._broken else ""
        trick = " ".join(f"{card} (seat {seat})" for seat, card in self._trick) or "none"
        seats = [line for seat in self._seats for line in self._seat_text(seat)]
        trick_now = self._tricks + (not self._ending)
        where = f"hand {self._number + 1}, trick {trick_now}{passing}{broken}"
        return "\n".join([f"turn {self._turn}, {now}: {where}", f"  trick      {trick}", *seats])

    def _seat_text(self, seat: int) -> list[str]:
        points = self._points()[seat] if not self._ending else 0
        cost = [card for card in self._taken[seat] if _POINTS[card]]
        first = f"  seat {seat}     {self._totals[seat]} points"
        if points:
            first += f", in this hand {points}: {' '.join(_sorted(cost))}"
        held = [" ".join(card for card in self._hands[seat] if card[0] == suit) for suit in SUITS]
        hand = "   ".join(filter(None, held))
        return [first, f"    holds    {hand or 'no card'}"]


def _sorted(cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _words(card: str) -> str:
    return f"the {_RANK_WORDS.get(card[1], card[1])} of {_SUIT_WORDS[card[0]]}"
