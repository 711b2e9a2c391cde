"""Cards, hands, the deck and the table, as agents of the course see them.

Of a card that its holder sees nothing of, ``color`` is ``None`` and ``number`` not a number, while
it is that holder's turn.
"""

import random
from collections.abc import Iterable, Iterator
from copy import copy
from enum import Enum
from math import nan
from typing import Any, ClassVar, Final

__all__ = ["Card", "Color", "Deck", "Game", "Hand"]

_MAX_BLUE_COINS: Final = 8


class Color(Enum):
    """The five colours, in the course's order; the values are those of a terminal."""

    Red = 31
    Blue = 34
    Green = 32
    White = 37
    Yellow = 33

    def __str__(self) -> str:
        return self.name

    def colorize(self, text: str) -> str:
        """The text with the codes that make a terminal write it in this colour."""
        return f"\033[{self.value}m{text}\033[0m"


class Card:
    """A card, with what its holder has been told about it. Agents may add attributes."""

    def __init__(self, color: Color, number: int) -> None:
        self.color: Color | None = color
        self.number: float = number
        self.color_clue: str | bool = False
        """The colour's letter once it was told."""
        self.number_clue: str | bool = False
        """The number as text once it was told."""

    def __str__(self) -> str:
        color = "?" if self.color is None else str(self.color)[0]
        return f"{color}?" if self.number != self.number else f"{color}{self.number}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        """Two cards are equal if they read alike; one that is partly unknown equals only itself."""
        if self is other:
            return True
        mine, theirs = str(self), str(other)
        return mine == theirs and "?" not in mine

    __hash__ = None  # type: ignore[assignment] # as in the course: what a card reads may change

    def str_color(self) -> str:
        """The card in its colour."""
        return str(self) if self.color is None else self.color.colorize(str(self))

    def str_clue(self) -> str:
        """Return what clues told its holder of it, with stars for the rest."""
        return f"{self.color_clue or '*'}{self.number_clue or '*'}"


class Hand:
    """Cards in a row: index 0 is the oldest, new ones come last."""

    def __init__(self, deck: "Deck | None" = None, n: int = 5) -> None:
        self.deck = deck
        self.cards: list[Card] = [] if deck is None else [deck.draw() for _ in range(n)]

    def __str__(self) -> str:
        return " ".join(map(str, self.cards))

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def str_color(self) -> str:
        """The cards in their colours."""
        return " ".join(card.str_color() for card in self.cards)

    def str_clue(self) -> str:
        """Return what clues told the holder of them."""
        return " ".join(card.str_clue() for card in self.cards)

    def pop(self, i: int) -> Card:
        """Take out card number ``i``, counted from 1."""
        if i < 1:
            raise IndexError(f"cards are counted from 1, there is no card {i}")
        return self.cards.pop(i - 1)

    def append(self, card: Card) -> None:
        """Add a card behind the others."""
        self.cards.append(card)

    def sort(self) -> None:
        """Put the cards in the order of what they read."""
        self.cards.sort(key=str)


class Deck:
    """The cards that are still to be drawn, the next one first."""

    card_count: ClassVar = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
    """The number of cards of each number in a colour."""
    cards_by_player: ClassVar = {2: 5, 3: 5, 4: 4, 5: 4}
    """The size of a hand, by the number of players."""

    def __init__(self, cards: list[Card] | None = None) -> None:
        self.cards = (
            cards
            if cards is not None
            else [
                Card(color, number)
                for color in Color
                for number, count in self.card_count.items()
                for _ in range(count)
            ]
        )

    def __len__(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        return " ".join(map(str, self.cards))

    def shuffle(self) -> None:
        """Put the cards in a random order."""
        random.shuffle(self.cards)

    def draw(self) -> Card:
        """Take the next card."""
        return self.cards.pop(0)

    def deal(self, n: int) -> list[Hand]:
        """Hands for a number of players."""
        return [Hand(self, self.cards_by_player[n]) for _ in range(n)]


class Game:
    """The table, seen from the player in turn: ``players`` and ``hands`` begin with that one."""

    Players: ClassVar = ("Alice", "Benji", "Clara", "Dante", "Elric")
    _is_fireboxes = False

    def __init__(self, players: "int | Iterable[str]" = 2, multi: int = 0) -> None:
        self.quiet = False
        self.reset(players, multi)

    def reset(
        self,
        players: "int | Iterable[str]" = 2,
        multi: int = 0,  # noqa: ARG002 - the course's, without effect there, too
        cards: list[Card] | None = None,
    ) -> None:
        """Deal anew: these cards in this order, or else a shuffled deck."""
        names = self.Players[:players] if isinstance(players, int) else players
        self.ai: Any = None
        self.players: list[str] = list(names)
        self.deck = Deck(cards)
        if cards is None:
            self.deck.shuffle()
        self.starting_deck = Deck([copy(card) for card in self.deck.cards])
        """The cards before they were dealt. In a game of Firebox's they are as unknown as there."""
        self.last_player: Any = None
        """The player who drew the last card, and so has the last turn; nobody until then."""
        self.hands: list[Hand] = self.deck.deal(len(self.players))
        self.discard_pile = Hand(self.deck, 0)
        self.piles: dict[Color, float] = dict.fromkeys(Color, 0)
        self.blue_coins = 8
        self.red_coins = 0
        self.moves: list[str] = []

    @property
    def current_hand(self) -> Hand:
        """The hand of the player in turn."""
        return self.hands[0]

    @property
    def current_player_name(self) -> str:
        """The name of the player in turn."""
        return self.players[0]

    @property
    def score(self) -> float:
        """Points so far."""
        return sum(self.piles.values())

    def log(self, *args: Any, **kwargs: Any) -> None:
        """Print, unless the game is quiet."""
        if not self.quiet:
            print(*args, **kwargs)

    def examine_piles(self, *_: Any) -> None:
        """Print what lies on the table."""
        self.log("Piles:", " ".join(f"{color}:{top}" for color, top in self.piles.items()))
        self.log("Discarded:", self.discard_pile)

    def turn(self, choice: str | None = None) -> None:
        """Make a move, this one or the agent's, which is asked again after one that is not valid.

        For games that agents make up: nothing in Firebox's own, and in a copy of that. Nor does a
        move that is given and not valid do more than to be noted. Raises StopIteration at the end
        of the game.
        """
        if self._is_fireboxes:
            return
        while not self._moved(self.ai.play() if choice is None else choice):
            if choice is not None:
                return
        self._pass_on()

    def _moved(self, move: str) -> bool:
        """Make a move if it is valid, and return whether it is."""
        self.moves.append(move)
        actions = {"d": self.discard, "p": self.play, "c": self.clue}
        try:
            actions[move[0]](move[1:])
        except (KeyError, ValueError, IndexError):
            return False
        return True

    def discard(self, rest: str) -> None:
        """Discard a card: ``d3``; the oldest one without a number."""
        if self.blue_coins >= _MAX_BLUE_COINS:
            raise ValueError("all blue coins are there")
        self.discard_pile.append(self.current_hand.pop(int(rest.strip() or 1)))
        self.blue_coins += 1
        self._draw()

    def play(self, rest: str) -> None:
        """Play a card: ``p2``."""
        card = self.current_hand.pop(int(rest))
        color: Any = card.color
        if self.piles.get(color, nan) + 1 == card.number:
            self.piles[color] += 1
            self.blue_coins += card.number == 5 and self.blue_coins < _MAX_BLUE_COINS
        else:
            self.discard_pile.append(card)
            self.red_coins += 1
        self._draw()

    def clue(self, rest: str) -> None:
        """Give a clue: ``c5``, ``cR``, ``c5B`` or ``cR2``."""
        hint, to = rest[0].upper(), 1
        if rest[1:]:
            initials = [name[0] for name in self.players]
            to = initials.index(rest[1]) if rest[1] in "ABCDE" else int(rest[1])
        touched = [card for card in self.hands[to].cards if hint in str(card)]
        if not (to and touched and self.blue_coins and hint in "12345RBGWY"):
            raise ValueError("not a clue that can be given now")
        self.blue_coins -= 1
        for card in touched:
            setattr(card, "number_clue" if hint.isdecimal() else "color_clue", hint)

    def _draw(self) -> None:
        if self.deck.cards:
            self.current_hand.append(self.deck.draw())

    def _pass_on(self) -> None:
        """Give the turn to the next player. Raises StopIteration if the game is over."""
        is_last = self.last_player == self.current_player_name
        if self.last_player is None and not self.deck.cards:
            self.last_player = self.current_player_name
        self.players.append(self.players.pop(0))
        self.hands.append(self.hands.pop(0))
        if is_last or self.red_coins == 3 or self.score == 25:
            raise StopIteration

    def run(self) -> None:
        """Nothing: a file that plays games when it is run can be submitted, and costs no time."""
