"""The guide's tables of the Python package, read from the package itself: never out of date."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from functools import cached_property
from typing import Any, Final

from firebox import Context, hanabi
from webapp.guide.docstrings import members

__all__ = ["ApiRow", "ApiTable", "api_tables"]

_MADE_BY_AGENTS: Final = (hanabi.Card, hanabi.Play, hanabi.Discard, hanabi.Hint, hanabi.Swap)
"""Shown with their arguments: agents construct them."""

_EVERYWHERE: Final[Mapping[str, str]] = {
    "seat": "The seat that did it.",
    "position": "Where in that hand the card was, from 0.",
    "to": "The seat that is told.",
    "color": "The colour's letter; ``None`` if a rank is named.",
    "rank": "The rank, 1 to 5; ``None`` if a colour is named.",
    "first": "Position of one of the two cards, from 0.",
    "second": "Position of the other one.",
}
_FIELDS: Final[Mapping[tuple[str, str], str]] = {
    ("Card", "color"): "The colour's letter: one of ``R Y G W B``.",
    ("Card", "rank"): "The rank, 1 to 5.",
    ("Play", "card"): "Its position in your hand, from 0.",
    ("Discard", "card"): "Its position in your hand, from 0.",
    ("Played", "card"): "The card, now face up for everybody.",
    ("Discarded", "card"): "The card, now face up for everybody.",
    ("Hinted", "seat"): "The seat that gave the hint.",
    ("Hinted", "positions"): "Positions of the touched cards in the hand of ``to``.",
    ("Drawn", "seat"): "The seat that drew.",
    ("Drawn", "position"): "Where in that hand the new card is, from 0.",
    ("Drawn", "card"): "The card; ``None`` if you drew it.",
}
"""For fields without a docstring of their own, which would be shown instead."""

_CLASSES: Final = (
    Context, hanabi.Observation, hanabi.Hand, hanabi.Knowledge, hanabi.Card,
    hanabi.Play, hanabi.Discard, hanabi.Hint, hanabi.Swap,
    hanabi.Dealt, hanabi.Played, hanabi.Discarded, hanabi.Hinted, hanabi.Drawn, hanabi.Swapped,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ApiRow:
    """One member of a class."""

    signature: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ApiTable:
    """One class."""

    name: str
    summary: str
    rows: tuple[ApiRow, ...]


def api_tables() -> tuple[ApiTable, ...]:
    """What an agent is given and what it returns, class by class."""
    return tuple(_table(cls) for cls in _CLASSES)


def _table(cls: type) -> ApiTable:
    name = cls.__name__
    if cls in _MADE_BY_AGENTS:
        name += f"({', '.join(inspect.signature(cls).parameters)})"
    return ApiTable(name, _doc(cls), (*_fields(cls), *_computed(cls)))


def _fields(cls: type) -> Iterator[ApiRow]:
    """Fields in the order of the source. Raises KeyError for one that nobody explains."""
    documented = members(cls)
    names = [each.name for each in dataclass_fields(cls)] if is_dataclass(cls) else documented
    for name in names:
        text = documented.get(name) or _FIELDS.get((cls.__name__, name)) or _EVERYWHERE[name]
        yield ApiRow(name, text)


def _computed(cls: type) -> Iterator[ApiRow]:
    """Properties and public methods, in the order of the source."""
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property | cached_property):
            yield ApiRow(name, _doc(member))
        elif isinstance(member, staticmethod):
            arguments = list(inspect.signature(member.__func__).parameters)
            yield ApiRow(f"{name}({', '.join(arguments)})", _doc(member.__func__))
        elif inspect.isfunction(member) and name != "from_wire":
            arguments = list(inspect.signature(member).parameters)[1:]
            yield ApiRow(f"{name}({', '.join(arguments)})", _doc(member))


def _doc(thing: Any) -> str:
    return " ".join((inspect.getdoc(thing) or "").split())
