"""Checks of values from outside: options of instructors, actions of agents.

No value's type is trusted, and no message grows with the value that it quotes.
"""

import json
from collections.abc import Collection, Iterable

from grader.core.errors import IllegalAction, RulesError
from grader.core.games.base import JsonObject

_MESSAGE_NUMBER_LIMIT = 10**12
_MESSAGE_TEXT_LIMIT = 24
_MOST_ANSWERED = 1_000
"""Characters of an action as JSON: the least that every adapter can send."""
_WHOLE_NUMBERS = range(-(2**63), 2**63)


def shown(value: object) -> str:
    """Quote an untrusted value in a message: as JSON, and always short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) >= _MESSAGE_NUMBER_LIMIT:
        return "a huge number"  # str() of one may raise, and takes quadratic time
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        cut = value[:_MESSAGE_TEXT_LIMIT]
        return ascii(cut) if cut == value else f"{cut!a}…"
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else "no JSON value"


def chosen(action: object, legal: Iterable[JsonObject]) -> JsonObject:
    """Return the legal action that an agent's reply means. Raises IllegalAction.

    Fields that the legal action does not have are ignored, and no field of it may be missing, not
    even one that is ``None``. Types count: ``true`` is no ``1``.
    """
    if isinstance(action, dict):
        for each in legal:
            if all(name in action and _is_same(action[name], each[name]) for name in each):
                return each
    raise IllegalAction("not one of the legal actions")


def unanswerable(action: JsonObject) -> str:
    """Return why no agent could answer with this legal action: the wire would refuse its reply, and
    the agent would be to blame. Empty if one can."""
    if action.get("type") == "refused":
        return "its type `refused` is how adapters report an answer that is no action"
    for name, value in action.items():
        if isinstance(value, int) and value not in _WHOLE_NUMBERS:
            return f"its field {shown(name)} is beyond 64 bits"
        if value is not None and not isinstance(value, str | int | float):
            return f"its field {shown(name)} is {shown(value)}, not a text, a number or a boolean"
    size = len(json.dumps(action))
    return f"it has {size:,} characters of JSON, not {_MOST_ANSWERED:,}" * (size > _MOST_ANSWERED)


def _is_same(given: object, value: object) -> bool:
    return type(given) is type(value) and given == value


def refuse_unknown(options: JsonObject, known: Collection[str]) -> None:
    """Raise RulesError if there is an option that the game does not have."""
    for name in options:
        if name not in known:
            raise RulesError(f"unknown option {shown(name)}; allowed: {', '.join(known)}")


def integer(options: JsonObject, name: str, low: int, high: int) -> int:
    """The whole number from ``low`` to ``high`` called ``name``. Raises RulesError."""
    value = options[name]
    if type(value) is not int or not low <= value <= high:
        span = f"{low}" if low == high else f"whole numbers from {low} to {high}"
        raise refused(name, value, span)
    return value


def flag(options: JsonObject, name: str) -> bool:
    """The truth value called ``name``. Raises RulesError."""
    value = options[name]
    if type(value) is not bool:
        raise refused(name, value, "true, false")
    return value


def word(options: JsonObject, name: str, allowed: Collection[str]) -> str:
    """The string called ``name``, one of ``allowed``. Raises RulesError."""
    value = options[name]
    if type(value) is not str or value not in allowed:
        raise refused(name, value, ", ".join(map(repr, allowed)))
    return value


def refused(name: str, value: object, allowed: str) -> RulesError:
    """Return an error that says that the option ``name`` cannot have this value."""
    return RulesError(f"option {name!r} is {shown(value)}; allowed: {allowed}", option=name)
