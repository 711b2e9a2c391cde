"""Plays a game with an upload after its build, for errors that Python 2 would not have raised.

What Python 2 wrote and Python 3 can read fails when it runs: there a list was what is an iterator
here, and whole numbers were divided to whole ones. The agent sits at each seat of a game that was
played before: it is told what happened then, whatever it answers. Only the kind of an error counts.
It runs in a process of its own, confined like in a game: what the agent does there is no fault.
"""

import importlib
import random
import re
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import Any, Final, NamedTuple, TypeAlias

from firebox.loading import install, taken
from firebox.sources import Modules

from .names import offer_simulator
from .old_modules import offer_old_modules
from .removed_functions import restore_removed_functions
from .seat import RULES, Cs221LocalSeat

JsonObject: TypeAlias = Mapping[str, Any]

_PLAYERS: Final = 3
_HAND: Final = 4
_COLORS: Final = "RYGWB"
_DECK: Final = (
    "G1 W3 B1 R2 Y1 R2 G5 Y1 B3 G1 B3 W2 B4 G1 G2 W1 Y4 Y2 Y2 W3 Y3 G4 G2 R4 Y1"
    " R1 W4 G4 W2 R3 R1 B4 B1 R3 G3 B2 R4 Y3 R5 B1 B2 W4 G3 W5 W1 W1 R1 Y5 B5 Y4"
)
_ACTIONS: Final = (
    "h11 p0 h01 p0 p2 h0B p1 h01 h0W p3 h22 p3 p2 d0 h03 p0 d0 h02 p0 d0 h0Y p1 d0 h03 p1 d0 h04"
    " p0 d0 h02 p0 d0 h0W p1 d0 h01 d1 h0R d0 p1 h22 p2 d0 h2B p2 d0 h23 p1 d0 h03 d1 p3 h25 p3 d0"
    " d0 h14 h1B p1 d0 h15 p2 d0 h1B p2"
)
"""A game of three that a simple agent played: the deck in the order of the deal, and each action in
the notation of records: ``p0`` plays, ``d0`` discards, ``h1R`` and ``h13`` hint player 1."""
_OPTIONS: Final = {
    "colors": _COLORS,
    "hand_size": _HAND,
    "hint_tokens": 7,
    **RULES,
}
_SECONDS: Final = 2.0
"""Processor time after which no further turn is played: an agent may take a second for each."""

_CHANGED: Final = "itertools|operator|os|string|sys|time|types"
"""Modules of which Python 3 has other names."""
_ONCE_LISTS: Final = "range|map|filter|zip|dict_keys|dict_values|dict_items"
_NEW_ERRORS: Final = re.compile(
    "|".join(
        (
            rf"unsupported operand type\(s\) for .*'(?:{_ONCE_LISTS})'",
            rf'can only concatenate list \(not "(?:{_ONCE_LISTS})"\)',
            rf"'(?:{_ONCE_LISTS})' object (?:is not subscriptable|does not support item)",
            rf"'(?:{_ONCE_LISTS})' object has no attribute '(?!__)",
            rf"'(?:{_ONCE_LISTS})' object is not reversible",
            rf"object of type '(?:{_ONCE_LISTS})' has no len",
            r"Population must be a sequence",
            r"^getAction returned .*\d\.\d",
            r"not supported between instances of",
            r"indices must be integers.*, not float|slice indices must be integers",
            r"'float' object cannot be interpreted as an integer",
            r"can't multiply sequence by non-int of type 'float'",
            r"sorted expected 1 argument|sort\(\) takes no positional arguments",
            r"'cmp' is an invalid keyword argument",
            r"unhashable type: '(?!list'|dict'|set'|bytearray'|slice')",
            r"has no attribute '(?:next|has_key|iteritems|iterkeys|itervalues|message)'",
            rf"^module '(?:{_CHANGED})' has no attribute",
            rf"^cannot import name '\w+' from '(?:{_CHANGED})'",
            r"^name '\w+' is not defined|^cannot access (?:local|free) variable",
            "^No module named ",
            "generator raised StopIteration",
            r"^'\w*(?:Error|Exception)' object is not subscriptable",
        )
    )
)
"""Python 3's messages about values that Python 2 would have accepted."""


class NewError(NamedTuple):
    """An error that Python 3 raises and Python 2 did not."""

    file: str
    """The upload's file; empty if the error came from none of its lines."""
    line: int
    text: str
    """Its type and message."""
    turns: int
    """The number of messages that the agent had handled before the error."""


class BuiltUpload(NamedTuple):
    """An upload after its build step."""

    modules: Modules
    module: str
    agent: str
    """The name of the class that plays, in ``module``."""
    is_translated: bool


def error_of_python_3(upload: BuiltUpload, directory: str, *, turns: int = 0) -> NewError | None:
    """Return the first error that Python 2 would not have raised; ``None`` if there is none.

    Runs the upload's code. The time limit ends the trial only after ``turns`` messages.
    """
    started, done = time.process_time(), 0
    for seat in range(_PLAYERS):
        with _imported_anew(upload, directory):
            try:
                player = Cs221LocalSeat(
                    getattr(importlib.import_module(upload.module), upload.agent)
                )
                for message in _messages(seat):
                    player.send(message)
                    done += 1
                    if done >= turns and time.process_time() - started > _SECONDS:
                        return None
            except BaseException as error:  # noqa: BLE001 - whatever a student's code raises
                if _is_new(error):
                    return _described(error, upload.modules, done)
    return None


def _is_new(error: BaseException) -> bool:
    is_kind = isinstance(error, TypeError | AttributeError | RuntimeError | NameError | ImportError)
    return is_kind and _NEW_ERRORS.search(str(error)[:1000]) is not None


def _described(error: BaseException, modules: Modules, turns: int) -> NewError:
    files = {file for _, _, file in modules.values()}
    frames = traceback.extract_tb(error.__traceback__)
    own = next((frame for frame in reversed(frames) if frame.filename in files), None)
    text = f"{type(error).__name__}: {str(error)[:200]}"
    place = ("", 0) if own is None else (own.filename, own.lineno or 0)
    return NewError(*place, text, turns)


@contextmanager
def _imported_anew(upload: BuiltUpload, directory: str) -> Iterator[None]:
    known, finders, paths = set(sys.modules), list(sys.meta_path), list(sys.path)
    random.seed(0)
    install(upload.modules, directory, taken())
    offer_simulator()
    if upload.is_translated:
        offer_old_modules()
    restore_removed_functions()
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        for name in set(sys.modules) - known:
            del sys.modules[name]
        sys.meta_path[:], sys.path[:] = finders, paths


def _messages(seat: int) -> Iterator[JsonObject]:
    yield {
        "type": "start", "game": "hanabi", "options": _OPTIONS,
        "seat": seat, "players": _PLAYERS, "seed": 1,
    }  # fmt: skip
    news: list[JsonObject] = []
    for turn, (acting, events) in enumerate(_turns(seat), start=-1):
        if acting == seat:
            yield {"type": "turn", "turn": turn, "events": news}
            news = []
        news += events
    yield {"type": "end", "events": news}


def _turns(seat: int) -> Iterator[tuple[int, list[JsonObject]]]:
    deck = _DECK.split()
    hands = [[deck.pop(0) for _ in range(_HAND)] for _ in range(_PLAYERS)]
    fireworks = dict.fromkeys(_COLORS, 0)
    shown = [None if player == seat else list(hand) for player, hand in enumerate(hands)]
    yield -1, [{"type": "deal", "hands": shown}]
    for turn, action in enumerate(_ACTIONS.split()):
        acting, number = turn % _PLAYERS, int(action[1])
        if action[0] == "h":
            to, symbol = number, action[2]
            touched = [i for i, card in enumerate(hands[to]) if symbol in card]
            aspect = {"rank": int(symbol)} if symbol.isdecimal() else {"color": symbol}
            hint = {"type": "hint", "seat": acting, "to": to, **aspect, "cards": touched}
            yield acting, [hint]
            continue
        card = hands[acting].pop(number)
        event = {"type": "discard", "seat": acting, "index": number, "card": card}
        if action[0] == "p":
            success = fireworks[card[0]] == int(card[1]) - 1
            fireworks[card[0]] += success
            event |= {"type": "play", "success": success}
        events: list[JsonObject] = [event]
        if deck:
            hands[acting].append(deck.pop(0))
            drawn = None if acting == seat else hands[acting][-1]
            events.append({"type": "draw", "seat": acting, "index": _HAND - 1, "card": drawn})
        yield acting, events
