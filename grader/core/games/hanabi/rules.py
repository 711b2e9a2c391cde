"""One play of Hanabi: the hot loop of every evaluation."""

from collections.abc import Mapping, Sequence

from grader.core.chance import Chance
from grader.core.errors import IllegalAction
from grader.core.games.base import JsonObject, State
from grader.core.games.checks import shown
from grader.core.games.hanabi.cards import (
    DECK,
    PERFECT_SCORE,
    SWAPS_PER_TURN,
    WORDS,
    at_end,
    in_slot,
    swapped,
)
from grader.core.games.hanabi.endings import HanabiEnding
from grader.core.games.hanabi.options import HanabiOptions
from grader.core.games.hanabi.tables import (
    NO_CARD,
    NO_COLOR,
    NO_HINT,
    CardKnowledge,
    after_hint,
    no_knowledge,
    tables,
)
from grader.core.games.hanabi.text import ShownTable, pointed_out, text_of
from grader.core.words import seat_words


class HanabiState(State):
    """One play. Cards are two characters (``R3``); what it hands out is never changed later.

    A turn (``legal_actions``, ``observe``, ``apply``) takes 4.4 µs with 2 seats, 4.9 with 5. So
    hands are tuples that are replaced, hints run over interned knowledge, and what observations and
    lists of actions are made of is kept until it changes. A replay asks for neither, so both are
    made when they are asked for.
    """

    def __init__(self, rules: HanabiOptions, deck: Sequence[str]) -> None:
        self._rules = rules
        self._tables = tables(rules)
        self._fresh = no_knowledge(rules.colors)
        self._deck = tuple(deck)
        self._drawn = rules.players * rules.hand_size
        self._turn = 0
        self._seat = 0
        self._ending: HanabiEnding | None = None
        self._turns_left: int | None = None
        self._swaps = 0
        self._tokens = rules.hint_tokens
        self._lives = rules.lives
        self._points = 0
        self._fireworks: Mapping[str, int] = dict.fromkeys(rules.colors, 0)
        self._discards: tuple[str, ...] = ()
        self._deal_hands()

    def _deal_hands(self) -> None:
        seats, size = range(self._rules.players), self._rules.hand_size
        starts = [seat * size for seat in seats]
        self._cards: list[tuple[str | None, ...]] = [self._deck[at : at + size] for at in starts]
        self._ids: list[tuple[int | None, ...]] = [tuple(range(at, at + size)) for at in starts]
        self._known: list[tuple[CardKnowledge, ...]] = [(self._fresh,) * size for _ in seats]
        self._moves = [self._tables.moves(tuple(range(size)))] * len(seats)
        # Per seat, the hints that its cards allow; None if they have changed since.
        self._hints: list[tuple[JsonObject, ...] | None] = [None for _ in seats]
        # Per seat, its hand as the others see it, and as it sees it itself.
        self._open: list[JsonObject] = [{} for _ in seats]
        self._veiled: list[JsonObject] = [{} for _ in seats]
        # Seats whose hand or knowledge has changed since.
        self._stale = set(seats)
        self._events: list[list[JsonObject]] = [[self._deal_event(seat)] for seat in seats]

    def _deal_event(self, seat: int) -> JsonObject:
        hands = [None if at == seat else cards for at, cards in enumerate(self._cards)]
        return {"type": "deal", "hands": hands}

    @property
    def turn(self) -> int:
        return self._turn

    @property
    def seat_to_act(self) -> int | None:
        return None if self._ending else self._seat

    @property
    def continues(self) -> bool:
        return self._swaps > 0

    @property
    def ending(self) -> str | None:
        return self._ending

    def scores(self) -> tuple[int, ...]:
        return (self._points,) * self._rules.players

    def events(self, seat: int) -> Sequence[JsonObject]:
        return self._events[seat]

    def resample(self, seat: int, chance: Chance) -> "HanabiState":
        from grader.core.games.hanabi.worlds import sampled  # it plays this class's games

        return sampled(self._rules, seat, self._events[seat], chance)

    def legal_actions(self) -> Sequence[JsonObject]:
        if self._ending:
            return ()
        seat, rules = self._seat, self._rules
        legal, discards, swaps = self._moves[seat]
        if self._tokens < rules.hint_tokens or rules.discard_at_max == "allowed":
            legal += discards
        if self._tokens:
            for other in self._tables.others[seat]:
                hints = self._hints[other]
                if hints is None:
                    hints = self._hints[other] = self._tables.hints_to(other, self._cards[other])
                legal += hints
        if rules.swaps and self._swaps < SWAPS_PER_TURN:
            legal += swaps
        return legal

    def tolerated_actions(self) -> Sequence[JsonObject]:
        """Return hints that name what no card has, swaps whose first index is not the smaller, and
        the discard of the card that a short hand lacks, each where the rules allow it."""
        if self._ending:
            return ()
        seat, rules = self._seat, self._rules
        tolerated = self._tables.void_hints[seat] if self._tokens else ()
        if rules.swaps and self._swaps < SWAPS_PER_TURN:
            slots = [at for at, card in enumerate(self._cards[seat]) if card is not None]
            tolerated += self._tables.odd_swaps(slots)
        held = len(self._cards[seat])
        may_discard = self._tokens < rules.hint_tokens or rules.discard_at_max == "allowed"
        if may_discard and self._lacks(held):
            tolerated += (self._tables.discards[held],)
        return tolerated

    def observe(self, seat: int) -> JsonObject:
        if self._stale:
            self._show_stale()
        hands = self._open.copy()
        hands[seat] = self._veiled[seat]
        return {
            "turn": self._turn,
            "seat": seat,
            "to_act": None if self._ending else self._seat,
            "hint_tokens": self._tokens,
            "lives": self._lives,
            "deck": len(DECK) - self._drawn,
            "fireworks": self._fireworks,
            "discards": self._discards,
            "hands": hands,
            "turns_left": self._turns_left,
            "score": self._points,
        }

    def apply(self, action: JsonObject) -> None:
        if self._ending:
            raise IllegalAction("the game is over")
        if not isinstance(action, dict):
            raise IllegalAction("an action is an object such as {'type': 'play', 'card': 0}")
        kind = action.get("type")
        if kind == "hint":
            self._hint(*self._tables.aim(self._seat, action))
        elif kind == "play":
            self._play(*self._held(action, "card"))
        elif kind == "discard" and self._lacks(action.get("card")):
            self._discard_nothing()
        elif kind == "discard":
            self._discard(*self._held(action, "card"))
        elif kind == "swap" and self._rules.swaps:
            self._swap(self._held(action, "first")[0], self._held(action, "second")[0])
        else:
            kinds = "play, discard, hint, swap" if self._rules.swaps else "play, discard, hint"
            raise IllegalAction(f"type is {shown(kind)}; allowed: {kinds}")
        self._turn += 1

    # What an action says, checked before anything changes.

    def _held(self, action: JsonObject, key: str) -> tuple[int, str]:
        index, cards = action.get(key), self._cards[self._seat]
        if type(index) is not int or not 0 <= index < len(cards):
            raise IllegalAction(f"{key} is {shown(index)}; allowed: 0 to {len(cards) - 1}")
        card = cards[index]
        if card is None:
            raise IllegalAction(f"{key} is {index}, a slot without a card")
        return index, card

    def _lacks(self, index: object) -> bool:
        held = len(self._cards[self._seat])
        return (
            type(index) is int
            and index == held < self._rules.hand_size
            and self._rules.last_round == "after_failed_draw"
        )

    # What an action does. Each of these refuses before it changes anything.

    def _hint(self, to: int, symbol: str) -> None:
        if not self._tokens:
            raise IllegalAction("there is no hint token left")
        number = self._tables.hint_number.get(symbol, NO_HINT)
        touched, known = after_hint(symbol, number, self._cards[to], self._known[to])
        if not touched and not self._rules.empty_hints:
            raise IllegalAction(f"the hint {symbol} touches no card of seat {to}")
        self._tokens -= 1
        self._known[to] = known
        self._stale.add(to)
        names_color = number < 5 or symbol == NO_COLOR
        hint: JsonObject = {"color": symbol} if names_color else {"rank": int(symbol)}
        self._tell({"type": "hint", "seat": self._seat, "to": to, **hint, "cards": touched})
        self._pass_turn()

    def _play(self, index: int, card: str) -> None:
        color, rank = card[0], int(card[1])
        success = self._fireworks[color] == rank - 1
        if success:
            self._fireworks = {**self._fireworks, color: rank}
            self._points += 1
            if rank == 5 and self._rules.five_returns_token:
                self._return_token()
            if self._points == PERFECT_SCORE:
                self._ending = HanabiEnding.PERFECT
        else:
            self._misplay(card)
        self._tell(
            {"type": "play", "seat": self._seat, "index": index, "card": card, "success": success}
        )
        self._replace(index)
        self._pass_turn()

    def _misplay(self, card: str) -> None:
        self._discards += (card,)
        if self._lives is None:
            self._tokens = max(self._tokens - 1, 0)
            return
        self._lives -= 1
        if self._lives == 0:
            self._ending = HanabiEnding.STRIKES
            if self._rules.strikeout_score == "zero":
                self._points = 0

    def _discard(self, index: int, card: str) -> None:
        self._require_discard()
        self._discards += (card,)
        self._return_token()
        self._tell({"type": "discard", "seat": self._seat, "index": index, "card": card})
        self._replace(index)
        self._pass_turn()

    def _discard_nothing(self) -> None:
        self._require_discard()
        self._return_token()
        index = len(self._cards[self._seat])
        self._tell({"type": "discard", "seat": self._seat, "index": index, "card": None})
        self._pass_turn()

    def _require_discard(self) -> None:
        most = self._rules.hint_tokens
        if self._tokens == most and self._rules.discard_at_max == "illegal":
            raise IllegalAction(f"a discard is illegal while all {most} hint tokens are there")

    def _return_token(self) -> None:
        if self._tokens < self._rules.hint_tokens:
            self._tokens += 1

    def _swap(self, first: int, second: int) -> None:
        if self._swaps == SWAPS_PER_TURN:
            raise IllegalAction(f"{SWAPS_PER_TURN} swaps were made in this turn; no more allowed")
        seat = self._seat
        self._cards[seat] = swapped(self._cards[seat], first, second)
        self._ids[seat] = swapped(self._ids[seat], first, second)
        self._known[seat] = swapped(self._known[seat], first, second)
        self._stale.add(seat)
        self._swaps += 1
        self._tell({"type": "swap", "seat": seat, "first": first, "second": second})

    # What follows an action.

    def _replace(self, index: int) -> None:
        drawn, draws = self._drawn, self._drawn < len(DECK) and self._ending is None
        if draws:
            card = self._deck[drawn]
            self._put(index, (card,), (drawn,), (self._fresh,))
            self._drawn = drawn + 1
            self._tell_draw(index, card)
        else:
            self._take_out(index)
        self._hints[self._seat] = None
        self._stale.add(self._seat)
        if self._drawn == len(DECK) and self._turns_left is None:
            self._begin_last_round(draws=draws)

    def _take_out(self, index: int) -> None:
        if self._rules.draw_position == "slot":
            self._put(index, (None,), (None,), (NO_CARD,))
        else:
            self._put(index, (), (), ())
        cards = self._cards[self._seat]
        slots = tuple(i for i, card in enumerate(cards) if card is not None)
        self._moves[self._seat] = self._tables.moves(slots)

    def _put(
        self,
        index: int,
        card: tuple[str | None, ...],
        number: tuple[int | None, ...],
        known: tuple[CardKnowledge, ...],
    ) -> None:
        seat = self._seat
        exchanged = in_slot if self._rules.draw_position == "slot" else at_end
        self._cards[seat] = exchanged(self._cards[seat], index, card)
        self._ids[seat] = exchanged(self._ids[seat], index, number)
        self._known[seat] = exchanged(self._known[seat], index, known)

    def _begin_last_round(self, *, draws: bool) -> None:
        """Count the turns left, if the last round begins with the empty deck."""
        if not self._ending and not (draws and self._rules.last_round == "after_failed_draw"):
            self._turns_left = self._rules.players + 1  # this turn counts too

    def _pass_turn(self) -> None:
        self._seat = (self._seat + 1) % self._rules.players
        self._swaps = 0
        if self._turns_left is not None:
            self._turns_left -= 1
            if self._turns_left == 0 and self._ending is None:
                self._ending = HanabiEnding.DECK_OUT

    def _show_stale(self) -> None:
        for seat in self._stale:
            cards, ids = self._cards[seat], self._ids[seat]
            known = tuple([node.shown for node in self._known[seat]])
            self._open[seat] = {"cards": cards, "ids": ids, "knowledge": known}
            self._veiled[seat] = {"cards": (None,) * len(cards), "ids": ids, "knowledge": known}
        self._stale.clear()

    def _tell(self, event: JsonObject) -> None:
        for log in self._events:
            log.append(event)

    def _tell_draw(self, index: int, card: str) -> None:
        seat = self._seat
        if self._rules.draw_position == "end":
            index = len(self._cards[seat]) - 1
        self._tell({"type": "draw", "seat": seat, "index": index, "card": card})
        self._events[seat][-1] = {"type": "draw", "seat": seat, "index": index, "card": None}

    # For people.

    def describe(self, action: JsonObject) -> str:
        seat, kind = self._seat, action["type"]
        who = seat_words(seat)
        if kind == "hint":
            to, symbol = self._tables.aim(seat, action)
            touched = pointed_out(self._cards[to], symbol)
            return f"{who} hints {seat_words(to)}: {touched}"
        if kind == "swap":
            return f"{who} swaps its cards {action['first'] + 1} and {action['second'] + 1}"
        if kind == "discard" and self._lacks(action["card"]):
            return f"{who} discards card {action['card'] + 1}, which it does not have"
        index, card = self._held(action, "card")
        verb = "discards"
        if kind == "play":
            fits = self._fireworks[card[0]] == int(card[1]) - 1
            verb = "plays" if fits else "misplays"
        return f"{who} {verb} card {index + 1}, the {WORDS[card[0]]} {card[1]}"

    def text(self) -> str:
        return text_of(self.table())

    def table(self) -> ShownTable:
        """Return everything that lies on the table now, all cards face up."""
        return ShownTable(
            turn=self._turn,
            seat=self._seat,
            ending=self._ending,
            tokens=self._tokens,
            lives=self._lives,
            deck=len(DECK) - self._drawn,
            turns_left=self._turns_left,
            fireworks=self._fireworks,
            points=self._points,
            discards=self._discards,
            hands=tuple(self._cards),
            numbers=tuple(self._ids),
            possible=[[node.shown for node in hand] for hand in self._known],
        )
