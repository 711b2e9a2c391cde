"""Empty modules in the place of a terminal's and a window's, which the sandbox has not.

A submission's own version of the course's package may import them for people who play; here nobody
does. Whatever is taken from them is an empty class.
"""

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

__all__ = ["install"]

_NAMES: Final = frozenset({"readline", "tkinter", "turtle"})


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


class _Finder(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Asked last: only what is not there."""
        del path, target
        absent = fullname.partition(".")[0] in _NAMES
        return ModuleSpec(fullname, self, is_package=True) if absent else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _EmptyModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


def install() -> None:
    """Answer imports that nobody else can."""
    sys.meta_path.append(_Finder())
