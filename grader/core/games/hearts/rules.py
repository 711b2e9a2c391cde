"""One play of Hearts: its hands, tricks and points."""

from collections.abc import Mapping, Sequence

from grader.core.chance import Chance
from grader.core.errors import IllegalAction
from grader.core.games.base import JsonObject, State
from grader.core.games.checks import shown
from grader.core.games.hearts.cards import (
    ALL_POINTS,
    DIRECTIONS,
    FIRST_LEAD,
    MAX_EXTRA_HANDS,
    PASSED_CARDS,
    PASSES,
    PLACE,
    PLAYS,
    POINTS,
    QUEEN,
    RANKS,
    STEPS,
    SUIT_WORDS,
    SUITS,
    ChosenDecks,
    Shuffler,
    card_words,
)
from grader.core.games.hearts.endings import HeartsEnding
from grader.core.games.hearts.options import MAX_HANDS, HeartsOptions
from grader.core.words import seat_words


class HeartsState(State):
    """One play. Values that it returns never change later: changed lists are new ones."""

    def __init__(self, rules: HeartsOptions, decks: "Shuffler | ChosenDecks") -> None:
        self._rules = rules
        self._decks = decks
        self._seats = range(rules.players)
        self._turn = 0
        self._number = 0
        self._ending: HeartsEnding | None = None
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
        self._points = (0,) * self._rules.players
        self._passed: list[tuple[str, ...]] = [()] * self._rules.players
        self._received: list[tuple[str, ...]] = [()] * self._rules.players
        self._broken = False
        self._tricks = 0
        self._choices: Sequence[str] | None = None
        self._passing = self._direction()
        self._in_passing = self._passing != "none"
        for seat in self._seats:
            hand, deal = self._hands[seat], {"type": "deal", "hand_number": self._number}
            self._events[seat].append({**deal, "passing": self._passing, "cards": hand})
        self._seat = 0 if self._in_passing else self._opener()

    def _direction(self) -> str:
        if self._rules.passing == "none":
            return "none"
        directions = DIRECTIONS[self._rules.players]
        return directions[self._number % len(directions)]

    def _opener(self) -> int:
        return next(seat for seat in self._seats if FIRST_LEAD in self._hands[seat])

    def _receiver(self, seat: int) -> int:
        step = STEPS[self._passing]
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

    def resample(self, seat: int, chance: Chance) -> "HeartsState":
        from grader.core.games.hearts.worlds import sampled  # it plays this class's games

        begins = not (self._in_passing or self._ending or self._tricks or self._trick)
        opener = self._seat if begins else None
        return sampled(self._rules, seat, self._events[seat], chance, opener)

    def legal_actions(self) -> Sequence[JsonObject]:
        if self._ending:
            return ()
        if self._in_passing:
            return [PASSES[card] for card in self._hands[self._seat]]
        return [PLAYS[card] for card in self._playable()]

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
            "points": self._points,
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
        card, hand = action.get("card"), self._hands[self._seat]
        if type(card) is not str or card not in PLACE:
            raise IllegalAction(f"card is {shown(card)}; a card is a suit and a rank, such as SQ")
        if card not in hand:
            raise IllegalAction(f"card is {card}, which is not in the hand {' '.join(hand)}")
        return card

    # --- Passing ------------------------------------------------------------------------------

    def _pass(self, card: str) -> None:
        seat = self._seat
        self._hands[seat] = _without(self._hands[seat], card)
        self._passed[seat] += (card,)
        known = {"type": "pass", "seat": seat, "to": self._receiver(seat)}
        self._tell({**known, "card": None}, {seat: {**known, "card": card}})
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
            known: JsonObject = {"type": "receive", "seat": taker, "from": giver}
            seen = {**known, "cards": cards}
            self._tell({**known, "cards": None}, {taker: seen, giver: seen})
        self._in_passing = False
        self._seat = self._opener()

    # --- Playing ------------------------------------------------------------------------------

    def _playable(self) -> Sequence[str]:
        """Return the allowed cards of the seat to act, kept until a card is played."""
        if self._choices is None:
            self._choices = self._allowed()
        return self._choices

    def _allowed(self) -> Sequence[str]:
        hand = self._hands[self._seat]
        if not self._trick:
            return self._leads(hand)
        suit = self._trick[0][1][0]
        following = [card for card in hand if card[0] == suit]
        if following:
            return following
        if self._tricks == 0 and self._rules.bleeding == "strict":
            return [card for card in hand if not POINTS[card]] or hand
        return hand

    def _leads(self, hand: Sequence[str]) -> Sequence[str]:
        if self._tricks == 0:
            return (FIRST_LEAD,)
        if self._broken:
            return hand
        return [card for card in hand if card[0] != "H"] or hand

    def _play(self, card: str) -> None:
        if card not in self._playable():
            raise IllegalAction(self._objection(card))
        seat = self._seat
        self._choices = None
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
        if not self._trick and self._tricks == 0:
            return f"card is {card}; the first trick of a hand is led with {FIRST_LEAD}"
        if not self._trick:
            return f"card is {card}; hearts are not broken yet, and the hand has other cards"
        suit = self._trick[0][1][0]
        if any(held[0] == suit for held in self._hands[self._seat]):
            return f"card is {card}; {SUIT_WORDS[suit]} were led, and the hand has some"
        return f"card is {card}; no points are played in the first trick of a hand"

    def _end_trick(self) -> None:
        suit = self._trick[0][1][0]
        following = [(RANKS.index(card[1]), at) for at, card in self._trick if card[0] == suit]
        winner = max(following)[1]
        cards = tuple(card for _, card in self._trick)
        self._taken[winner] += cards
        points = sum(POINTS[card] for card in cards)
        self._points = tuple(
            before + points if at == winner else before for at, before in enumerate(self._points)
        )
        self._broken = self._broken or any(
            card[0] == "H" or (card == QUEEN and self._rules.queen_breaks) for card in cards
        )
        self._trick = ()
        self._tricks += 1
        self._seat = winner
        self._tell({"type": "trick", "winner": winner, "points": points})

    def _end_hand(self) -> None:
        points = self._points
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

    def _verdict(self) -> HeartsEnding | None:
        played = self._number + 1
        if self._rules.hands:
            return HeartsEnding.HANDS if played == self._rules.hands else None
        if max(self._totals) >= self._rules.end_at:
            if self._totals.count(min(self._totals)) == 1:
                return HeartsEnding.TOTAL
            if self._overtime == MAX_EXTRA_HANDS:
                return HeartsEnding.TIED
            self._overtime += 1
        return HeartsEnding.HAND_LIMIT if played == MAX_HANDS else None

    def _tell(self, event: JsonObject, others: Mapping[int, JsonObject] | None = None) -> None:
        if others is None:
            for log in self._events:
                log.append(event)
            return
        for seat, log in enumerate(self._events):
            log.append(others.get(seat, event))

    # --- For people ---------------------------------------------------------------------------

    def describe(self, action: JsonObject) -> str:
        card = action["card"]
        if action["type"] == "pass":
            to = seat_words(self._receiver(self._seat))
            return f"{seat_words(self._seat)} passes {card_words(card)} to {to}"
        verb = "plays" if self._trick else "leads"
        return f"{seat_words(self._seat)} {verb} {card_words(card)}"

    def text(self) -> str:
        now = f"over: {self._ending}" if self._ending else f"{seat_words(self._seat)} to act"
        passing = f", passing {self._passing}" if self._in_passing else ""
        broken = ", hearts broken" if self._broken else ""
        trick = " ".join(f"{card} ({seat_words(seat)})" for seat, card in self._trick) or "none"
        seats = [line for seat in self._seats for line in self._seat_text(seat)]
        trick_now = self._tricks + (not self._ending)
        where = f"hand {self._number + 1}, trick {trick_now}{passing}{broken}"
        return "\n".join([f"turn {self._turn}, {now}: {where}", f"  trick      {trick}", *seats])

    def _seat_text(self, seat: int) -> list[str]:
        points = self._points[seat] if not self._ending else 0
        cost = [card for card in self._taken[seat] if POINTS[card]]
        first = f"  {seat_words(seat)}     {self._totals[seat]} points"
        if points:
            first += f", in this hand {points}: {' '.join(_sorted(cost))}"
        held = [" ".join(card for card in self._hands[seat] if card[0] == suit) for suit in SUITS]
        hand = "   ".join(filter(None, held))
        return [first, f"    holds    {hand or 'no card'}"]


def _sorted(cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=PLACE.__getitem__))


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
