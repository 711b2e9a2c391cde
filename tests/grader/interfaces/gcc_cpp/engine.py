"""The events of the original engine, made from a record with all cards open.

Written from the description of that engine alone, line by line in the order in which it does
things, and in the words of the agent ``recorder``: what the adapter makes of one seat's events must
be this.
"""

from grader.core.deals import shuffled
from grader.core.games.hanabi import DECK
from grader.core.records import Record

COLORS = "RBGYW"
NO_OP, SWAP, PLAY, DISCARD, COLOR_HINT, DRAW, NUMBER_HINT = 0, 10, 11, 12, 13, 14, 15


class Engine:
    """A game of two; ``heard`` has the events that each of them got."""

    def __init__(self, deck: list[str]) -> None:
        self.hands = [deck[:5], deck[5:10]]
        self.deck = deck[10:]
        self.board = dict.fromkeys(COLORS, 0)
        self.hints, self.fuses = 8, 3
        self.mover = 0
        self.heard: tuple[list[str], list[str]] = ([], [])
        for i in range(5):
            for player in (0, 1):
                dealt = self.hands[1 - player][: i + 1]
                self.tell(player, f"{DRAW} {i} {dealt[i]}", hand=dealt, deck=48 - 2 * i)

    def tell(
        self, player: int, event: str, *, hand: list[str] | None = None, deck: int | None = None
    ) -> None:
        board = " ".join(str(self.board[color]) for color in COLORS)
        cards = "".join(f" {card}" for card in (self.hands[1 - player] if hand is None else hand))
        size = len(self.deck) if deck is None else deck
        line = f"told {event} | {board} | {self.hints} {self.fuses} |{cards} | {size}"
        self.heard[player].append(line)

    def move(self, action: str) -> None:
        if action[0] == "s":
            self.swap(int(action[1]), int(action[2]))
            return
        if action[0] == "h":
            self.hint(action[2])
        elif action[0] == "d":
            self.discard(int(action[1]))
        else:
            self.play(int(action[1]))
        self.mover = 1 - self.mover

    def swap(self, first: int, second: int) -> None:
        hand = self.hands[self.mover]
        hand[first], hand[second] = hand[second], hand[first]
        self.tell(1 - self.mover, f"{SWAP} {first} {second}")

    def hint(self, said: str) -> None:
        receiver = 1 - self.mover
        self.hints -= 1
        touched = "".join(f" {i}" for i, card in enumerate(self.hands[receiver]) if said in card)
        if said in COLORS:
            self.tell(receiver, f"{COLOR_HINT} {COLORS.index(said)} at{touched}")
        else:
            self.tell(receiver, f"{NUMBER_HINT} {said} at{touched}")

    def discard(self, at: int) -> None:
        card = self.hands[self.mover][at]
        self.tell(1 - self.mover, f"{DISCARD} {at} {card} 0")
        self.tell(self.mover, f"{DISCARD} {at} {card} 1")
        self.hints = min(self.hints + 1, 8)
        del self.hands[self.mover][at]
        self.draw(5)

    def play(self, at: int) -> None:
        card = self.hands[self.mover].pop(at)
        legal = self.board[card[0]] + 1 == int(card[1])
        if legal:
            self.board[card[0]] += 1
            if card[1] == "5":
                self.hints = min(self.hints + 1, 8)
        else:
            self.fuses -= 1
        self.tell(1 - self.mover, f"{PLAY} {at} {card} {legal:d} 0")
        self.tell(self.mover, f"{PLAY} {at} {card} {legal:d} 1")
        if self.fuses and sum(self.board.values()) < 25:
            self.draw(4)
        elif not self.deck:
            self.tell(1 - self.mover, f"{NO_OP}")

    def draw(self, position: int) -> None:
        if not self.deck:
            self.tell(1 - self.mover, f"{NO_OP}")
            return
        card = self.deck.pop(0)
        self.hands[self.mover].append(card)
        self.tell(1 - self.mover, f"{DRAW} {position} {card}")


def retold(record: Record) -> tuple[list[str], list[str]]:
    engine = Engine(list(shuffled(DECK, bytes.fromhex(record.deal_seed))))
    for action in record.actions.split():
        engine.move(action)
    return engine.heard
