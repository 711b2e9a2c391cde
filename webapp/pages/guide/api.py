"""The guide's tables of the Python package, read from the package itself: never out of date."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from functools import cached_property
from typing import Any, Final

from firebox import Context, hanabi, hearts
from webapp.pages.guide.docstrings import members

_MADE_BY_AGENTS: Final = (
    hanabi.Card, hanabi.Play, hanabi.Discard, hanabi.Hint, hanabi.Swap,
    hearts.Card, hearts.Play, hearts.Pass,
)  # fmt: skip
"""Shown with their arguments: agents construct them."""

_CLASSES: Final[Mapping[str, tuple[type, ...]]] = {
    "hanabi": (
        Context, hanabi.Observation, hanabi.Hand, hanabi.Knowledge, hanabi.Card,
        hanabi.Play, hanabi.Discard, hanabi.Hint, hanabi.Swap,
        hanabi.Dealt, hanabi.Played, hanabi.Discarded, hanabi.Hinted, hanabi.Drawn, hanabi.Swapped,
    ),
    "hearts": (
        Context, hearts.Observation, hearts.OtherHands, hearts.Card, hearts.Play, hearts.Pass,
        hearts.Dealt, hearts.Passed, hearts.Received, hearts.Played, hearts.TrickTaken,
        hearts.HandScored,
    ),
}  # fmt: skip
"""By game, in the order of its page."""


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


def api_tables(game: str) -> tuple[ApiTable, ...]:
    """Return the types that an agent for this game is given and returns, class by class."""
    return tuple(_table(cls) for cls in _CLASSES[game])


def _table(cls: type) -> ApiTable:
    name = cls.__name__
    if cls in _MADE_BY_AGENTS:
        name += f"({', '.join(inspect.signature(cls).parameters)})"
    return ApiTable(name, _doc(cls), (*_fields(cls), *_computed(cls)))


def _fields(cls: type) -> Iterator[ApiRow]:
    documented = members(cls)
    names = [field.name for field in dataclass_fields(cls)] if is_dataclass(cls) else documented
    for name in names:
        yield ApiRow(name, documented[name])


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
