"""The guide's tables of the Python package, read from the package itself: never out of date."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from functools import cached_property
from typing import Any, Final

from firebox import Context, hanabi
from webapp.guide.docstrings import members

__all__ = ["ApiRow", "ApiTable", "api_tables"]

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
    documented = members(cls)
    fields = tuple(ApiRow(field, text) for field, text in documented.items())
    if is_dataclass(cls) and len(documented) < len(dataclass_fields(cls)):
        arguments = ", ".join(inspect.signature(cls).parameters)
        name = f"{name}({arguments})"
    return ApiTable(name, _doc(cls), fields + tuple(_computed(cls)))


def _computed(cls: type) -> Iterator[ApiRow]:
    """Properties and public methods, in the order of the source."""
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property | cached_property):
            yield ApiRow(name, _doc(member))
        elif inspect.isfunction(member) and name != "from_wire":
            arguments = list(inspect.signature(member).parameters)[1:]
            yield ApiRow(f"{name}({', '.join(arguments)})", _doc(member))


def _doc(thing: Any) -> str:
    return " ".join((inspect.getdoc(thing) or "").split())
