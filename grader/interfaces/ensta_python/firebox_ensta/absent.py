"""Empty modules in place of a terminal's and a window's, which a submission may import."""

import sys
from types import ModuleType
from typing import Any

from firebox.absent import Finder


def _empty(name: str) -> type:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Empty(name, (_Nothing,), {})


class _Empty(type):
    """Classes that have everything, all of it empty."""

    def __getattr__(cls, name: str) -> type:
        return _empty(name)


class _Nothing(metaclass=_Empty):
    """Can be made and inherited from, and does nothing."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __getattr__(self, name: str) -> type:
        return _empty(name)


class _EmptyModule(ModuleType):
    def __getattr__(self, name: str) -> type:
        return _empty(name)


class _Finder(Finder):
    names = frozenset({"readline", "tkinter", "turtle"})
    kind = _EmptyModule
    heeds_try = False


def install() -> None:
    """Answer imports that nobody else can."""
    sys.meta_path.append(_Finder())
