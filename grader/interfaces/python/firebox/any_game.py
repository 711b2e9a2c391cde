"""Any game as an agent sees it: what the wire says, with its fields as attributes.

Games with types of their own have a module, for example ``firebox.hanabi``. The guide's page on a
game lists its fields.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

__all__ = [
    "ACTION_TYPES",
    "Action",
    "Event",
    "Fields",
    "Observation",
    "action_from_wire",
    "action_to_wire",
    "event_from_wire",
    "observation_from_wire",
]


class Fields:
    """A JSON object that does not change: ``event.seat``, ``observation.columns[3]``.

    Lists are tuples, and objects in it are ``Fields``. ``fields["from"]`` reads a field whose name
    is a word of Python, and ``"seat" in fields`` tells whether it is there.
    """

    __slots__ = ("_wire",)

    def __init__(self, **values: Any) -> None:
        self._wire: Mapping[str, Any] = {name: _plain(value) for name, value in values.items()}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return _typed(self._wire[name])
        except KeyError:
            known = ", ".join(self._wire)
            message = f"{type(self).__name__} has no field {name}; its fields are {known}"
            raise AttributeError(message) from None

    def __getitem__(self, name: str) -> Any:
        return _typed(self._wire[name])

    def __contains__(self, name: object) -> bool:
        return name in self._wire

    def __iter__(self) -> Iterator[str]:
        return iter(self._wire)

    def __len__(self) -> int:
        return len(self._wire)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fields) and other._wire == self._wire

    def __hash__(self) -> int:
        return hash(repr(sorted(self._wire.items())))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={_typed(value)!r}" for name, value in self._wire.items())
        return f"{type(self).__name__}({values})"


class Action(Fields):
    """Something that a seat does: one of ``observation.legal_actions``, or made from its fields,
    ``Action(type="drop", column=3)``."""

    __slots__ = ()


class Event(Fields):
    """Something that happened. ``event.type`` says what."""

    __slots__ = ()


class Observation(Fields):
    """Everything that you may know on your turn."""

    __slots__ = ("events", "legal_actions")

    legal_actions: tuple[Action, ...]
    """Everything that you may do now."""
    events: tuple[Event, ...]
    """Everything that happened since your last turn, your own last action first."""


ACTION_TYPES = (Action,)


def observation_from_wire(message: Mapping[str, Any], options: Mapping[str, Any]) -> Observation:  # noqa: ARG001 - as the modules of games
    """Return the observation of a ``turn`` message."""
    observation = _of(Observation, message["observation"])
    observation.legal_actions = tuple([action_from_wire(wire) for wire in message["legal"]])
    observation.events = tuple([event_from_wire(wire) for wire in message["events"]])
    return observation


def event_from_wire(wire: Mapping[str, Any]) -> Event:
    """Return an event of a message."""
    return _of(Event, wire)


def action_from_wire(wire: Mapping[str, Any]) -> Action:
    """Return an action of a message."""
    return _of(Action, wire)


def action_to_wire(action: Action) -> dict[str, Any]:
    """Return the action as the wire has it. Raises TypeError for anything that is no ``Action``."""
    if isinstance(action, Action):
        return dict(action._wire)
    text = repr(action)
    shown = text if len(text) <= 80 else text[:77] + "..."
    raise TypeError(
        f"act() must return an Action of firebox.any_game, one of observation.legal_actions, "
        f"not {shown} of type {type(action).__name__}"
    )


_Kind = TypeVar("_Kind", bound=Fields)


def _of(kind: type[_Kind], wire: Mapping[str, Any]) -> _Kind:
    fields = object.__new__(kind)
    fields._wire = wire
    return fields


def _typed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _of(Fields, value)
    if isinstance(value, list):
        return tuple([_typed(each) for each in value])
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Fields):
        return value._wire
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value
