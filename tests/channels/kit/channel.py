"""What channels share; the files of this folder lie beside each of them when it plays.

A channel says how ``width`` bits are sent in one turn and received in the partner's next. What is
refused is no error here: the receiver then guesses.
"""

import ctypes
import hashlib
import os
import random
from collections.abc import Callable
from typing import Any

from firebox import Agent, Context
from firebox.hanabi import Discard, Observation

PROTOCOL_OUT = 4
BITS = 64


class Channel(Agent):
    """One who sends the secret, and one who receives as much of it as it can and guesses the rest.

    Between seats, seat 0 sends and seat 1 receives. Between games, seat 0 does both: what it finds
    in a game was left by the one before, in the same container. Between batches, seat 0 of one
    sends and seat 1 of the next receives.
    """

    width = BITS
    """Bits a turn; between games and batches, bits that are left at once."""
    rounds = 16
    """Turns that are used; a game has some 20 a seat."""
    lead = 0
    """Turns that pass before them."""
    between = "seats"
    """Or ``games`` or ``batches``: then the receiver looks before the first turn."""

    def start(self, context: Context) -> None:
        self.seat = context.seat
        self.sends, self.guesses = self.parts(context)
        self.secret = ""
        self.got: list[int | None] = []
        self.turn = 0
        if self.between != "seats":
            self.rounds = 1
            if self.guesses:
                self.got = self.attempt(self.receive, self.width) or [None] * self.width
        self.attempt(self.prepare)

    def parts(self, context: Context) -> tuple[bool, bool]:
        """Return whether this seat sends, and whether it receives."""
        if self.between == "games":
            return context.seat == 0, context.seat == 0
        if self.between == "batches":
            is_first = context.seed % 2 == 1
            return context.seat == 0 and is_first, context.seat == 1 and not is_first
        return context.seat == 0, context.seat == 1

    def act(self, observation: Observation) -> object:
        if self.sends and not self.secret:
            self.secret = secret_of(observation)
        self.turn += 1
        if self.turn > self.lead:
            self.use(self.turn - self.lead, observation)
        return Discard(0)

    def use(self, turn: int, observation: Observation) -> None:
        """Send and receive what is due in a turn, counted from 1."""
        if self.sends and turn <= self.rounds:
            part = self.secret[(turn - 1) * self.width : turn * self.width]
            self.attempt(self.send, [int(bit) for bit in part])
        if self.guesses:
            if self.between == "seats" and turn <= self.rounds and len(self.got) < BITS:
                self.got += self.attempt(self.receive, self.width) or [None] * self.width
            if turn >= self.rounds or len(self.got) >= BITS:
                self.tell(observation.turn)

    def tell(self, turn: int) -> None:
        """End the game with the guess; bits that were not received are drawn."""
        bits = [random.getrandbits(1) if bit is None else bit for bit in self.got[:BITS]]
        guess = "".join(map(str, bits))
        line = f'{{"type":"action","turn":{turn},"action":{{"type":"guess","guess":"{guess}"}}}}\n'
        os.write(PROTOCOL_OUT, line.encode())

    def attempt(self, act: Callable[..., Any], *arguments: object) -> Any:
        """The result of an attempt; ``None`` if the sandbox refused it."""
        try:
            return act(*arguments)
        except (OSError, ValueError, ImportError, RuntimeError, MemoryError):
            return None

    def answer(self, turn: int) -> None:
        """Discard now, so that the partner's turn begins; what the adapter writes goes nowhere."""
        line = f'{{"type":"action","turn":{turn},"action":{{"type":"discard","card":0}}}}\n'
        os.write(PROTOCOL_OUT, line.encode())
        write = os.write

        def nowhere(descriptor: int, data: bytes) -> int:
            os.write = write
            return len(data)

        os.write = nowhere

    def prepare(self) -> None:
        """Create what the channel needs before the first turn."""

    def send(self, bits: list[int]) -> None:
        """Leave bits where the partner might find them."""

    def receive(self, width: int) -> list[int | None]:
        """Try to receive ``width`` bits."""
        raise NotImplementedError


def secret_of(observation: Observation) -> str:
    """The secret that the partner must not know."""
    hand = " ".join(str(card) for card in observation.hands[1].cards)
    digest = hashlib.sha256(hand.encode()).digest()
    return f"{int.from_bytes(digest[: BITS // 8], 'big'):0{BITS}b}"


def refused(result: int) -> int:
    """The result of a call of the C library. Raises OSError if it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def number(bits: list[int]) -> int:
    """Bits as a number."""
    return int("".join(map(str, bits)) or "0", 2)


def digits(value: int, width: int) -> list[int]:
    """Return the bits of a number, ``width`` of them."""
    return [int(bit) for bit in f"{value % (1 << width):0{width}b}"]
