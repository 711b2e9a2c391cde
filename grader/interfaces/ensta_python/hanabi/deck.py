"""Cards, hands, the deck and the table, as agents of the course see them.

Of a card that its holder sees nothing of, ``color`` is ``None`` and ``number`` not a number, while
it is that holder's turn.

Agents import all of this with a star: what is no name of the course's begins with an underscore.
"""

import copy
import os  # noqa: F401 - agents have it from here
import random
from enum import Enum, unique
from typing import Any as _Any
from typing import ClassVar as _ClassVar
from typing import Final as _Final

try:
    import readline
except ImportError:  # on Windows
    readline = None  # type: ignore[assignment]

_MAX_BLUE_COINS: _Final = 8
_MAX_RED_COINS: _Final = 3
_HINTS: _Final = "12345RBGWY"
_is_loading = False
"""True while Firebox imports an upload's modules, of which some play games when they are run."""


@unique
class Color(Enum):
    """The five colours, in the course's order; the values are those of a terminal."""

    Red = 31
    Blue = 34
    Green = 32
    White = 37
    Yellow = 33

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Color.{self.name}"

    def colorize(self, *args: object) -> str:
        """The values, with the codes that make a terminal write them in this colour."""
        return f"\033[{self.value}m{' '.join(map(str, args))}\033[0m"


class Card:
    """A card, with what its holder has been told about it. Agents may add attributes."""

    def __init__(self, color: _Any = None, number: _Any = None) -> None:
        if not 1 <= number <= 5:
            raise AssertionError  # the course's: an ``assert`` could be switched off
        self.color = color
        self.number = number
        self.color_clue: str | bool = False
        """The colour's letter once it was told."""
        self.number_clue: str | bool = False
        """The number as text once it was told."""

    def __str__(self) -> str:
        color = "?" if self.color is None else str(self.color)[0]
        return f"{color}?" if self.number != self.number else f"{color}{self.number}"

    def __repr__(self) -> str:
        return f"Card({self.color!r}, {self.number!r})"

    def __eq__(self, other: object) -> bool:
        """Two cards are equal if they read alike; one that is partly unknown equals only itself."""
        if self is other:
            return True
        mine, theirs = str(self), str(other)
        return mine == theirs and "?" not in mine

    __hash__ = None  # type: ignore[assignment] # as in the course: what a card reads may change

    def str_color(self) -> str:
        """The card in its colour."""
        return str(self) if self.color is None else str(self.color.colorize(self))

    def str_clue(self) -> str:
        """Return what clues told its holder of it, with stars for the rest."""
        return f"{self.color_clue or '*'}{self.number_clue or '*'}"


class Hand:
    """Cards in a row: index 0 is the oldest, new ones come last."""

    def __init__(self, deck: "Deck | None" = None, n: int = 5) -> None:
        self.deck = deck
        self.cards: list[Card] = [] if deck is None else [deck.draw() for _ in range(n)]

    def __str__(self) -> str:
        return " ".join(card.str_color() for card in self.cards)

    __repr__ = __str__

    def __len__(self) -> int:
        return len(self.cards)

    def str_clue(self) -> str:
        """Return what clues told the holder of them."""
        return " ".join(card.str_clue() for card in self.cards)

    def pop(self, i: int) -> Card:
        """Take out card number ``i``, counted from 1, and draw another one, if there is one."""
        if not 1 <= i <= len(self.cards):
            raise ValueError(f"there is no card {i}, only 1 to {len(self.cards)}")
        card = self.cards.pop(i - 1)
        if self.deck is not None and self.deck.cards:
            self.append(self.deck.draw())
        return card

    def append(self, card: Card) -> None:
        """Add a card behind the others."""
        self.cards.append(card)

    def sort(self) -> None:
        """Put the cards in the order of what they read."""
        self.cards.sort(key=str)


class Deck:
    """The cards that are still to be drawn, the next one first."""

    card_count: _ClassVar = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
    """The number of cards of each number in a colour."""
    cards_by_player: _ClassVar = {2: 5, 3: 5, 4: 4, 5: 4}
    """The size of a hand, by the number of players."""

    def __init__(self, cards: list[Card] | None = None) -> None:
        self.cards = (
            cards
            if cards is not None
            else [
                Card(color, number)
                for number, count in self.card_count.items()
                for color in Color
                for _ in range(count)
            ]
        )

    def __str__(self) -> str:
        return " ".join(card.str_color() for card in self.cards)

    def __repr__(self) -> str:
        return repr(self.cards)

    def shuffle(self) -> None:
        """Put the cards in a random order."""
        random.shuffle(self.cards)

    def draw(self) -> Card:
        """Take the next card."""
        return self.cards.pop(0)

    def deal(self, n: int) -> list[Hand]:
        """Hands for a number of players."""
        return [Hand(self, self.cards_by_player[n]) for _ in range(n)]


class _Referee:
    """Marks the game that Firebox's referee plays. A deep copy of that is the agent's own."""

    def __reduce__(self) -> _Any:
        return type(None), ()


class Game:
    """The table, seen from the player in turn: ``players`` and ``hands`` begin with that one."""

    Players: _ClassVar = ("Alice", "Benji", "Clara", "Dante", "Elric")
    current_player = 0
    other_player = 1
    _referee: _Referee | None = None
    _keeps_score = False
    """After three red coins: an option of old rules."""
    _allows_empty_clues = False
    """Another one."""

    def __init__(self, players: _Any = 2, multi: _Any = False) -> None:  # noqa: FBT002 - the course's
        self.quiet = False
        self.actions = {
            "d": self.discard,
            "p": self.play,
            "c": self.clue,
            "x": self.examine_piles,
            "l": self.load,
            ">": self.command,
            "?": self._advise,
        }
        self.reset(players, multi)

    def reset(
        self,
        players: _Any = 2,
        multi: _Any = False,  # noqa: ARG002, FBT002 - the course's, without effect there, too
        cards: list[Card] | None = None,
    ) -> None:
        """Deal anew, for so many players or these names: these cards, or else a shuffled deck."""
        names = self.Players[:players] if isinstance(players, int) else players
        self.ai: _Any = None
        self.players: list[str] = list(names)
        self._names = list(names)
        self.deck = Deck(cards)
        if cards is None:
            self.deck.shuffle()
        self.starting_deck = copy.deepcopy(self.deck)
        """The cards before they were dealt. In a game of Firebox's they are as unknown as there."""
        self.last_player: _Any = None
        """``None`` for the whole game, as in the course."""
        self._turns_left: int | None = None
        self.hands: list[Hand] = self.deck.deal(len(self.players))
        self.discard_pile = Hand()
        self.piles: dict[_Any, _Any] = dict.fromkeys(Color, 0)
        self.blue_coins = _MAX_BLUE_COINS
        self.red_coins = 0
        self.moves: list[str] = []

    @property
    def current_hand(self) -> Hand:
        """The hand of the player in turn."""
        return self.hands[self.current_player]

    @property
    def current_player_name(self) -> str:
        """The name of the player in turn, in a terminal's bold."""
        return f"\033[1m{self.players[self.current_player]}\033[0m"

    @property
    def score(self) -> float:
        """Points so far; none with three red coins."""
        lost = self.red_coins >= _MAX_RED_COINS and not self._keeps_score
        return 0 if lost else sum(self.piles.values())

    def log(self, *args: _Any, **kwargs: _Any) -> None:
        """Print, unless the game is quiet."""
        if not self.quiet:
            print(*args, **kwargs)

    def print_piles(self) -> None:
        """Print what lies on the table, and the coins."""
        tops = (color.colorize(color, top) for color, top in self.piles.items())
        self.log("Piles:", *tops)
        self.log("Coins:", self.blue_coins, "blue,", self.red_coins, "red")

    def examine_piles(self, *_: _Any) -> None:
        """Print what lies on the table, and what was discarded."""
        self.print_piles()
        self.log("Discarded:", self.discard_pile)

    def turn(self, choice: _Any = None) -> None:
        """Make a move: this one; an AI's; the first valid one of a list; a person's.

        For games that agents make up or copy: nothing in Firebox's own. A text that is not valid is
        only noted. Raises StopIteration at the end of the game.
        """
        if self._referee is not None:
            return
        while not self._moved(self._asked(choice)):
            if isinstance(choice, str):
                return  # the course would try it for ever
        if self._turns_left is not None:
            self._turns_left -= 1
        elif not self.deck.cards:
            self._turns_left = len(self.players)
        self.next_player()
        if self._turns_left == 0 or self.score == 25:
            raise StopIteration

    def _asked(self, choice: _Any) -> _Any:
        if choice is None:
            return input("d, p or c? ")
        if isinstance(choice, ai.AI):
            return choice.play()
        return choice if isinstance(choice, str) else choice.pop(0)

    def _moved(self, move: str) -> bool:
        self.moves.append(move)
        try:
            self.actions[move[0]](move[1:])
        except KeyError as error:
            self.log(error, "is not a valid action. Try again.")
        except (ValueError, IndexError) as error:
            self.log(error, "Try again.")
        else:
            return move[0] in "dpc"
        return False

    def next_player(self) -> None:
        """Give the turn to the next player."""
        self.hands.append(self.hands.pop(0))
        self.players.append(self.players.pop(0))

    def add_blue_coin(self) -> None:
        """Put a blue coin back. Raises ValueError if all are there."""
        if self.blue_coins >= _MAX_BLUE_COINS:
            raise ValueError("All blue coins are there.")
        self.blue_coins += 1

    def remove_blue_coin(self) -> None:
        """Take a blue coin. Raises ValueError if there is none."""
        if self.blue_coins <= 0:
            raise ValueError("There is no blue coin.")
        self.blue_coins -= 1

    def add_red_coin(self) -> None:
        """Note a misplay. Raises StopIteration at the third."""
        self.red_coins += 1
        if self.red_coins >= _MAX_RED_COINS:
            raise StopIteration("There are three red coins.")

    def discard(self, index: _Any) -> None:
        """Discard a card: ``d3``; the oldest one without a number."""
        self.add_blue_coin()
        self.discard_pile.append(self.current_hand.pop(int(str(index).strip() or 1)))
        self.discard_pile.sort()

    def play(self, index: _Any) -> None:
        """Play a card: ``p2``."""
        card = self.current_hand.pop(int(index))
        if self.piles[card.color] + 1 != card.number:
            self.discard_pile.append(card)
            self.add_red_coin()
            return
        self.piles[card.color] += 1
        if card.number == 5 and self.blue_coins < _MAX_BLUE_COINS:
            self.add_blue_coin()

    def clue(self, choice: str) -> None:
        """Give a clue: ``c5``, ``cR``, ``c5B`` or ``cR2``. A wrong player costs the coin, too."""
        hint = choice[0].upper()
        if hint not in _HINTS:
            raise ValueError(f"{hint} is no clue.")
        self.remove_blue_coin()
        to = self._target(choice[1:2])
        touched = [card for card in self.hands[to].cards if hint in str(card)]
        if to == 0 or not (touched or self._allows_empty_clues):
            self.add_blue_coin()
            raise ValueError(
                "This clue touches no card." if to else "Cannot give a clue to yourself."
            )
        for card in touched:
            setattr(card, "number_clue" if hint.isdecimal() else "color_clue", hint)

    def _target(self, letter: str) -> int:
        if letter and letter in "ABCDE":
            return [name[0] for name in self.players].index(letter)
        return int(letter) if letter else self.other_player

    def command(self, code: str) -> None:
        """Run code that a person at a terminal writes behind ``>``."""
        exec(code)  # noqa: S102 - as an agent could anyway

    def _advise(self, *_: _Any) -> None:
        self.log("Nobody here sees all cards.")

    def save(self, filename: str) -> None:
        """Write the game to a file that ``load`` reads. A sandbox has no files to write."""
        saved = {"players": self._names, "cards": self.starting_deck, "moves": self.moves}
        with open(filename, "w", encoding="utf-8") as file:  # noqa: PTH123 - no more imports here
            file.writelines(f"{name} = {value!r}\n" for name, value in saved.items())

    def load(self, filename: str) -> None:
        """Play a saved game again, up to where it was."""
        saved = dict(globals())
        with open(filename.strip(), encoding="utf-8") as file:  # noqa: PTH123 - as above
            exec(file.read(), saved)  # noqa: S102 - the student's own file
        self.reset(saved["players"], cards=saved["cards"])
        for move in saved["moves"]:
            self.turn(move)

    def run(self) -> None:
        """Play a game of one's own to its end, which may also come out of ``play``.

        Nothing in Firebox's game, and while modules are imported: a file that plays games when it
        is run can be submitted, and costs no time.
        """
        if self._referee is not None or _is_loading:
            return
        try:
            while True:
                self.turn(self.ai)
        except (StopIteration, KeyboardInterrupt, EOFError):
            self.log(f"\nGoodbye. Your score is {self.score}")


from . import ai, ascii_art  # noqa: E402, F401 - an upload's own ai.py may import this module
