"""Provides modules of Python 2 that no fixer of lib2to3 replaces, for translated uploads.

Modules that start programs or threads, draw windows, or reach the network are left out.
"""

import builtins
import collections
import sys
import types
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

__all__ = ["NAMES", "offer_old_modules"]


class Set(set[Any]):
    """``sets.Set``: its operators return a ``Set``, and a ``Set`` can contain others."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__(_frozen(value) for value in values)

    def add(self, value: Any) -> None:
        """Add a value; a set is added as a frozen set."""
        super().add(_frozen(value))

    def __contains__(self, value: object) -> bool:
        return super().__contains__(_frozen(value))

    def __repr__(self) -> str:
        return f"Set({list(self)!r})"

    union_update = set.update


def _frozen(value: Any) -> Any:
    return frozenset(value) if isinstance(value, set) else value


def _of_its_kind(name: str) -> Callable[..., Any]:
    def method(self: Set, *values: Any) -> Any:
        result = getattr(set, name)(self, *values)
        return result if result is NotImplemented else Set(result)

    return method


for _name in ("and", "or", "sub", "xor", "rand", "ror", "rsub", "rxor"):
    setattr(Set, f"__{_name}__", _of_its_kind(f"__{_name}__"))
for _name in ("copy", "difference", "intersection", "symmetric_difference", "union"):
    setattr(Set, _name, _of_its_kind(_name))


class _Digest:
    """A hash of texts. Each of their characters is one byte."""

    def __init__(self, kind: str, text: str | bytes = "") -> None:
        import hashlib

        self._inner = hashlib.new(kind, usedforsecurity=False)
        self.digest_size = self._inner.digest_size
        self.update(text)

    def update(self, text: str | bytes) -> None:
        """Add a text to the hash."""
        self._inner.update(text.encode("latin-1") if isinstance(text, str) else text)

    def hexdigest(self) -> str:
        """Return the hash in hexadecimal digits."""
        return self._inner.hexdigest()

    def digest(self) -> str:
        """Return the hash as a text with a character for each byte."""
        return self._inner.digest().decode("latin-1")


def _hash(kind: str) -> dict[str, Any]:
    def new(text: str | bytes = "") -> _Digest:
        return _Digest(kind, text)

    return {"new": new, kind: new, "sha": new} if kind == "sha1" else {"new": new, kind: new}


def _exceptions() -> dict[str, Any]:
    exceptions = {
        name: value
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    }
    return {**exceptions, "StandardError": Exception}


def _user_dict() -> dict[str, Any]:
    kind = collections.UserDict
    return {"UserDict": kind, "IterableUserDict": kind, "DictMixin": MutableMapping}


def _new() -> dict[str, Any]:
    return {
        "classobj": type,
        "code": types.CodeType,
        "function": types.FunctionType,
        "instance": lambda kind, members=(): _instance(kind, dict(members)),
        "instancemethod": lambda function, owner, *_: types.MethodType(function, owner),
        "module": ModuleType,
    }


def _instance(kind: type, members: dict[str, Any]) -> Any:
    made: Any = object.__new__(kind)
    vars(made).update(members)
    return made


_CONTENTS: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "UserDict": _user_dict,
    "exceptions": _exceptions,
    "future_builtins": lambda: {
        name: getattr(builtins, name) for name in ("ascii", "filter", "hex", "map", "oct", "zip")
    },
    "md5": lambda: _hash("md5"),
    "new": _new,
    "sets": lambda: {"BaseSet": set, "Set": Set, "ImmutableSet": frozenset},
    "sha": lambda: _hash("sha1"),
}
NAMES: Final = frozenset(_CONTENTS)


class _Finder(MetaPathFinder, Loader):
    """Finds and loads the modules in ``NAMES``."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        return ModuleSpec(fullname, self) if fullname in NAMES else None

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(_CONTENTS[module.__name__]())


def offer_old_modules() -> None:
    """Make the modules in ``NAMES`` importable in this process. Others of the names come first."""
    sys.meta_path.append(_Finder())
