"""The interface ``gcc-cpp``: a class ``Player`` in a header ``Player.h``, for two."""

import ctypes
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from firebox_native.objects import load_object
from firebox_native.seat import AgentError, serve

from .table import COLORS, GccTable, Told

if TYPE_CHECKING:
    from firebox_cpp.compiler import Engine

__all__ = ["build", "build_checked", "play"]

_FOLDER: Final = Path(__file__).parents[1] / "gcc_cpp"
_SWAP, _PLAY, _DISCARD, _COLOR_HINT, _NUMBER_HINT = 10, 11, 12, 13, 15
_OUT_OF_MEMORY: Final = 2
_NUMBERS: Final = ctypes.POINTER(ctypes.c_int)


def play(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Play one game."""
    serve(lambda: _Player(artefact), stdin_fd, stdout_fd)


def build(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Compile."""
    from firebox_cpp.compiler import build  # builders only

    build(_engine(), agent, stdout_fd)


def build_checked(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Compile with checks of every access to memory."""
    from firebox_cpp.compiler import build

    build(_engine(), agent, stdout_fd, checked=True)


def _engine() -> "Engine":
    from firebox_cpp.compiler import Engine

    return Engine(folder=_FOLDER, entry="Player.h")


class _Player:
    """The agent's two players: one hears of the deal, one plays."""

    def __init__(self, artefact: str) -> None:
        self._library = load_object(artefact)
        self._library.firebox_tell.argtypes = (
            _NUMBERS, _NUMBERS, ctypes.c_int, ctypes.c_int, _NUMBERS, ctypes.c_int, ctypes.c_int,
        )  # fmt: skip
        self._library.firebox_doing.argtypes = (ctypes.c_char_p,)
        self._answer = (ctypes.c_int * 3)()
        self._table: GccTable

    def start(self, message: dict[str, Any]) -> None:
        self._seat = message["seat"]
        self._table = GccTable(self._seat, message["options"])
        self._library.firebox_doing(b"the start")
        self._require(self._library.firebox_begin(message["seed"] & 0xFFFFFFFF))

    def act(self, message: dict[str, Any]) -> dict[str, Any]:
        self._library.firebox_doing(b"turn %d" % message["turn"])
        self._hear(message["events"])
        self._require(self._library.firebox_ask(self._answer))
        return self._action(*self._answer)

    def end(self, message: dict[str, Any]) -> None:
        self._library.firebox_doing(b"the last events")
        self._hear(message["events"])

    def _hear(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            if event["type"] == "deal":
                self._tell(self._table.deal(event))
                self._require(self._library.firebox_settle())
        self._tell(self._table.follow(events))

    def _tell(self, tells: list[Told]) -> None:
        tell = self._library.firebox_tell
        for call in tells:
            hand = [number for card in call.hand for number in card]
            self._require(
                tell(
                    (ctypes.c_int * len(call.event))(*call.event),
                    (ctypes.c_int * 5)(*call.board),
                    call.hints,
                    call.fuses,
                    (ctypes.c_int * len(hand))(*hand),
                    len(call.hand),
                    call.deck,
                )
            )

    def _require(self, outcome: int) -> None:
        if outcome:
            raise AgentError(of_memory=outcome == _OUT_OF_MEMORY)

    def _action(self, kind: int, first: int, second: int) -> dict[str, Any]:
        """Return the answer of ``ask`` in the form of the wire; no action: its name in words."""
        partner = 1 - self._seat
        if kind == _PLAY:
            return {"type": "play", "card": first}
        if kind == _DISCARD:
            return {"type": "discard", "card": first}
        if kind == _COLOR_HINT:
            color = COLORS[first] if 0 <= first < len(COLORS) else str(first)
            return {"type": "hint", "to": partner, "color": color}
        if kind == _NUMBER_HINT:
            return {"type": "hint", "to": partner, "rank": first}
        if kind == _SWAP:
            return {"type": "swap", "first": first, "second": second}
        if kind == -1:
            return _refused("a null pointer")
        return _refused(f"an event of the kind {kind}")


def _refused(answer: str) -> dict[str, Any]:
    return {"type": "refused", "why": f"ask() returned {answer}, which is no action"}
