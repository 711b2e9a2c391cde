"""Declares a command's arguments as the fields of a frozen value, and parses them into it, once."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import field, fields, is_dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

_READ: Final = {int, float, Path}
"""Types that ``argparse`` makes of a word."""


def argument(*flags: str, group: str = "", **settings: Any) -> Any:
    """A field that an option sets or, without flags, a word at its place.

    ``settings`` are those of ``add_argument``. The field's type says the rest: a tuple may be given
    several times, a bool is a switch. Options of a ``group`` exclude one another.
    """
    return field(metadata={"flags": flags, "group": group, "settings": settings})


def shared(**helps: str) -> Any:
    """A field with arguments that several commands have; ``helps`` replace texts of some."""
    return field(metadata={"helps": helps})


def arguments_of(run: Callable[..., Any]) -> type[Any]:
    """Return the value that a command runs with: the type of its only parameter."""
    kind: type[Any] = get_type_hints(run)["arguments"]
    return kind


def declare(parser: argparse.ArgumentParser, kind: Any) -> None:
    """Add the arguments of a command's value, in the order of its fields."""
    _declare(parser, kind, {}, {})


def _declare(
    parser: argparse.ArgumentParser, kind: Any, helps: Mapping[str, str], groups: dict[str, Any]
) -> None:
    hints = get_type_hints(kind)
    for each in fields(kind):
        name, hint = each.name, hints[each.name]
        if is_dataclass(hint):
            _declare(parser, hint, each.metadata.get("helps", {}), groups)
            continue
        flags, group = each.metadata["flags"], each.metadata["group"]
        settings = _implied(hint, repeats=bool(flags)) | each.metadata["settings"]
        if name in helps:
            settings["help"] = helps[name]
        if group and group not in groups:
            groups[group] = parser.add_mutually_exclusive_group()
        target = groups.get(group, parser)
        if flags:
            target.add_argument(*flags, dest=name, **settings)
        else:
            target.add_argument(name, **settings)


def _implied(hint: Any, *, repeats: bool) -> dict[str, Any]:
    if hint is bool:
        return {"action": "store_true"}
    kind = next((kind for kind in get_args(hint) or (hint,) if kind is not NoneType), hint)
    settings = {"type": kind} if kind in _READ else {}
    if get_origin(hint) is tuple and repeats:
        return settings | {"action": "append", "default": []}
    return settings | ({"default": ""} if hint is str else {})


def read(kind: type[T], parsed: argparse.Namespace) -> T:
    """Return a command's value of what ``argparse`` has parsed."""
    values: dict[str, Any] = {}
    part: type[Any]
    for name, part in get_type_hints(kind).items():
        value = read(part, parsed) if is_dataclass(part) else getattr(parsed, name)
        values[name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)
