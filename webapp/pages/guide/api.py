"""The guide's tables of the Python package, read from the package itself: never out of date."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from functools import cached_property
from typing import Any, get_args

from firebox import Context, seat
from webapp.pages.guide.docstrings import members


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
    library = seat.GAMES[game]
    actions, events = library.ACTION_TYPES, get_args(library.Event)
    exported = [getattr(library, name) for name in library.__all__]
    known = {library.Observation, *actions, *events}
    others = [each for each in exported if inspect.isclass(each) and each not in known]
    classes = (Context, library.Observation, *others, *actions, *events)
    return tuple(_table(cls, is_made=cls in actions or hasattr(cls, "parse")) for cls in classes)


def _table(cls: type, *, is_made: bool) -> ApiTable:
    """Describe a class; one that agents make is shown with its arguments."""
    name = cls.__name__
    if is_made:
        name += f"({', '.join(inspect.signature(cls).parameters)})"
    return ApiTable(name, _doc(cls), (*_fields(cls), *_computed(cls)))


def _fields(cls: type) -> Iterator[ApiRow]:
    documented = members(cls)
    names = [field.name for field in dataclass_fields(cls)] if is_dataclass(cls) else documented
    for name in names:
        yield ApiRow(name, documented[name])


def _computed(cls: type) -> Iterator[ApiRow]:
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
