"""Keeps a ``Game`` of the course, ours or a submission's own, as Firebox's referee has it.

Only attributes of it are read and set. What an agent does to its game is there in its next turn, as
in the course's one process, as far as it does not say that the game is another one: cards in an
order of its own or made up, moves, players. The only methods that are called are a submission's
own ``play``, ``discard`` and ``clue``, for the sake of what they may note in the game and on cards.
"""

import contextlib
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Final

from .cards import (
    Held,
    Laid,
    Piles,
    blank_cards,
    colors_by_letter,
    initial_of,
    is_marked,
    make_comparable,
    mark_clue,
)
from .moves import Clues, JsonObject, written
from .story import Story

_DERIVED: Final = ("current_hand", "current_player_name", "score")
"""Derived attributes. A submission's own game may have them as plain attributes."""
_PLAYERS: Final = ("current_player", "other_player")
"""Attributes by which a game may find hands: the same in every turn, since hands are rotated."""


class EnstaTable:
    """The game's objects, and behind them its story."""

    def __init__(self, deck: ModuleType, options: JsonObject, *, ours: bool) -> None:
        """Make the game with the types of ``deck``. Raises DeckError for cards of other rules."""
        self._options = options
        self._max_coins = options["hint_tokens"]
        self._ours = ours
        if not ours:
            make_comparable(deck.Card)
        self.game: Any = deck.Game(options["players"])
        if ours:
            self._mark_as_ours(deck._Referee())
        for card in self.game.starting_deck.cards if ours else ():
            Held(card).mask()  # cards that are not those of the deal
        self._colors = colors_by_letter(deck.Color)
        self.letters = {initial_of(color): letter for letter, color in self._colors.items()}
        """The wire's letters of colours, by those that the agent writes."""
        self.story = Story(options, blank_cards(deck.Card, self._colors), self._colors)
        self.story.on_move = self._before_move
        self._names = list(self.game.players)
        self._hands = list(self.game.hands)
        self._all_cards = list(self.story.deck)  # kept, so that no other card gets its identity
        cards = frozenset(id(held.card) for held in self._all_cards)
        self._laid = [Laid(cards) for _ in self._hands]
        self._deck, self._discards = Laid(cards), Laid(cards)
        self._clues = Clues()
        self._noted: set[int] = set()
        self.lost_coins = 0
        """Coins of clues for nobody. The referee knows nothing of them, and still has them."""
        self._prepare()

    def _prepare(self) -> None:
        game, kind = self.game, type(self.game)
        game.quiet = True
        game.moves = []
        game.piles = Piles(game.piles)
        self._piles = {
            letter: pile
            for pile in game.piles
            for letter, color in self._colors.items()
            if pile == color or pile in {initial_of(color), str(color)}
        }
        self._plain = [
            name
            for name in _DERIVED
            if hasattr(game, name)
            and not isinstance(getattr(kind, name, None), property)
            and not callable(getattr(game, name))
        ]
        shown = str(getattr(game, "current_player_name", ""))
        before, named, after = shown.partition(self._names[0])
        self._around_name = (before, after) if named else ("", "")

    def _mark_as_ours(self, referee: object) -> None:
        self.game._referee = referee
        self.game._keeps_score = self._options["strikeout_score"] == "keep"
        self.game._allows_empty_clues = self._options["empty_hints"]

    def coins(self, observation: JsonObject) -> int:
        """The blue coins that the agent has: the referee's without those it lost."""
        return max(0, int(observation["hint_tokens"]) - self.lost_coins)

    def names(self) -> list[str]:
        """The players from the one in turn."""
        return _from(self.story.seat, self._names)

    def lay(self, observation: JsonObject | None = None) -> None:
        """Put the game as it is; without an observation, as it is before the first move."""
        game, options = self.game, self._options
        now = observation or {**options, "fireworks": {}}
        self._lay_cards()
        for letter, color in self._piles.items():
            game.piles[color] = now["fireworks"].get(letter, 0)
        game.blue_coins = self.coins(now)
        game.red_coins = 0 if now["lives"] is None else options["lives"] - now["lives"]
        if self._ours:
            game._turns_left = now.get("turns_left")
        self._lay_derived(sum(now["fireworks"].values()))

    def _lay_cards(self) -> None:
        """Lay hands in order of play. Lists stay the same objects: agents may have kept them."""
        _turn(self.game, "players", self.names())
        _turn(self.game, "hands", _from(self.story.seat, self._hands))
        for laid, hand, cards in zip(self._laid, self._hands, self.story.hands, strict=True):
            _follow(laid, hand, cards)
        _follow(self._deck, self.game.deck, self.story.deck)
        _follow(self._discards, self.game.discard_pile, self.story.discards)

    def slots(self) -> list[int | None]:
        """Return the positions on the wire of the cards of the agent's own hand, in its order."""
        own = self.story.hands[self.story.seat]
        where = {id(held.card): slot for slot, held in enumerate(own) if held is not None}
        return [where.get(id(card)) for card in _cards(self._hands[self.story.seat])]

    def _lay_derived(self, score: int) -> None:
        if not self._plain:
            return
        seat = self.story.seat
        before, after = self._around_name
        derived = {
            "current_hand": self._hands[seat],
            "current_player_name": f"{before}{self._names[seat]}{after}",
            "score": score,
        }
        for name in self._plain:
            setattr(self.game, name, derived[name])

    @contextlib.contextmanager
    def masked(self) -> Iterator[None]:
        """Hide from the player in turn what it was not told of its cards. The deck always is."""
        own = self.story.own()
        for held in own:
            held.mask()
        try:
            yield
        finally:
            for held in own:
                held.show()

    def note(self, move: str, *, accepted: bool) -> None:
        """Note what the player in turn wrote."""
        self.game.moves.append(move)
        if accepted:
            self._clues.learn(move)
            self._noted.add(self.story.applied)

    def _before_move(self, number: int, event: JsonObject) -> None:
        move = self._in_words(event)
        if number not in self._noted:
            self.game.moves.append(move)
        if event["type"] == "hint":
            self._clue(move, event)
        elif not self._ours:
            self._calls(event["type"], move)

    def _in_words(self, event: JsonObject) -> str:
        if event["type"] != "hint":
            slots = self.slots()
            at = slots.index(event["index"]) if event["index"] in slots else event["index"]
            return written(event, at + 1)
        is_color = "color" in event
        symbol = initial_of(self._colors[event["color"]]) if is_color else str(event["rank"])
        offset = (event["to"] - event["seat"]) % len(self._names)
        return self._clues.write(symbol, offset, self.names())

    def _clue(self, move: str, event: JsonObject) -> None:
        attribute = "color" if "color" in event else "number"
        value = self._colors[event["color"]] if "color" in event else event["rank"]
        hand = self.story.hands[event["to"]]
        touched = [held for i in event["cards"] if (held := hand[i]) is not None]
        for held in touched:
            held.tell(attribute, value)
        called = not self._ours and self._calls("clue", move)
        for held in touched:
            if not called or not is_marked(held.card, f"{attribute}_clue"):
                mark_clue(held.card, f"{attribute}_clue", move[1].upper())

    def _calls(self, method: str, move: str) -> bool:
        """Let a submission's own game make a move; return whether it could.

        What it notes beyond the course's attributes stays. All else is put right later.
        """
        game = self.game
        self._lay_cards()
        agent, game.ai = game.ai, None
        players = {name: getattr(game, name) for name in _PLAYERS if hasattr(game, name)}
        try:
            self._lay_derived(sum(game.piles.values()))
            coins = game.blue_coins
            game.blue_coins = max(1, coins) if method == "clue" else min(coins, self._max_coins - 1)
            getattr(game, method)(move[1:])
        except Exception:  # noqa: BLE001 - whatever a student's code raises
            return False
        finally:
            game.ai = agent
            for name, player in players.items():
                setattr(game, name, player)
        return True


def _turn(game: Any, name: str, items: list[Any]) -> None:
    """Rotate a list so that it begins with the player in turn, whatever an agent added to it."""
    present = getattr(game, name)
    if not isinstance(present, list):
        setattr(game, name, items)
    elif len(present) == len(items) and all(item in present for item in items):
        present[:] = items
    elif items[0] in present:
        first = present.index(items[0])
        present[:] = _from(first, present)


def _follow(laid: Laid, holder: Any, cards: Sequence[Held | None]) -> None:
    laid.lay(_cards(holder), [held.card for held in cards if held is not None])


def _cards(holder: Any) -> Any:
    return holder if isinstance(holder, list) else holder.cards


def _from(first: int, items: Sequence[Any]) -> list[Any]:
    return [*items[first:], *items[:first]]
