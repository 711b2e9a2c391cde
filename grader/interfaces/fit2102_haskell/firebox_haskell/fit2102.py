"""The interface ``fit2102-haskell``: a module ``Player`` with a function ``playCard``."""

import ctypes
import random
from pathlib import Path
from typing import Any, Final, NoReturn

from firebox_native.objects import load_object
from firebox_native.seat import AgentError, serve

from .runtime import load_libraries, options

__all__ = ["build", "play"]

_MODULES: Final = Path(__file__).parents[1] / "fit2102_haskell"
_SUITS: Final = "SCDH"
_RANKS: Final = "23456789TJQKA"
_CARDS: Final = tuple(suit + rank for suit in _SUITS for rank in _RANKS)
_PLACES: Final = {card: index for index, card in enumerate(_CARDS)}
"""The cards as the course's type ``Card`` sorts them."""

load_libraries()  # once, in the supervisor, which imports this before there are processes


def play(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Play one game."""
    serve(lambda: _Player(artefact), stdin_fd, stdout_fd)


def build(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Compile."""
    from .compiler import build  # builders only

    build(_MODULES, agent, stdout_fd)


class _Player:
    """The agent, and the hand that it plays as the course's engine would show it.

    Hands come in no order, as the course promises none: each is shuffled by the game's seed.
    """

    def __init__(self, artefact: str) -> None:
        self._library = load_object(artefact)
        numbers = ctypes.POINTER(ctypes.c_int)
        number = ctypes.c_int
        self._library.firebox_begin.argtypes = (ctypes.c_char_p,)
        self._library.firebox_doing.argtypes = (ctypes.c_char_p,)
        self._library.firebox_play.argtypes = (
            number, number, numbers, number, numbers, number, numbers,
        )  # fmt: skip
        self._library.firebox_begin(options().encode())
        self._trick: list[int] = []
        self._before: list[int] = []
        self._hand: list[int] = []

    def start(self, message: dict[str, Any]) -> None:
        self._seat = message["seat"]
        self._random = random.Random(message["seed"])  # noqa: S311 - the agent sees the outcome

    def act(self, message: dict[str, Any]) -> dict[str, Any]:
        self._library.firebox_doing(b"turn %d, in playCard" % message["turn"])
        self._hear(message["events"])
        card = self._library.firebox_play(
            self._seat,
            *_array(self._hand, 1),
            *_array(self._trick, 2),
            *_array(self._before, 2),
        )
        if card < 0:
            raise AgentError(of_memory=False)
        return {"type": "play", "card": _CARDS[card]}

    def end(self, message: dict[str, Any]) -> None:
        """Nothing that an agent would hear of."""

    def _hear(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            kind = event["type"]
            if kind == "play":
                self._see(event)
            elif kind == "trick":
                self._before, self._trick = self._trick, []
            elif kind == "deal":
                self._trick, self._before = [], []
                self._hand = [_PLACES[card] for card in event["cards"]]
                self._random.shuffle(self._hand)

    def _see(self, event: dict[str, Any]) -> None:
        index = _PLACES[event["card"]]
        self._trick[:0] = index, event["seat"]
        if event["seat"] == self._seat:
            self._hand.remove(index)


def _array(numbers: list[int], width: int) -> tuple[int, Any]:
    return len(numbers) // width, (ctypes.c_int * len(numbers))(*numbers)
