"""Modules that draw, which a sandbox without a screen does not have.

Students import them for charts and windows of their own, at home. Here the import succeeds, and the
first use raises ImportError. Every game's process is forked with what is imported here.
"""

import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import Any, Final, NoReturn

NAMES: Final = frozenset(
    {
        "PIL",
        "matplotlib",
        "mpl_toolkits",
        "plotly",
        "pygame",
        "pylab",
        "seaborn",
        "tkinter",
        "turtle",
    }
)
"""Modules at the top of their packages."""


def _refuse(name: str) -> NoReturn:
    raise ImportError(
        f"{name} cannot be used here: the sandbox has no screen. Agents may import"
        f" {name.partition('.')[0]}, but use it only at home"
    )


class _Absent(type):
    """A class of such a module. It can be named and inherited from, not used."""

    def __getattr__(cls, name: str) -> type:
        return _absent(f"{cls.__name__}.{name}", name)

    def __call__(cls, *_: Any, **__: Any) -> NoReturn:
        _refuse(cls.__name__)

    def __getitem__(cls, _: Any) -> NoReturn:
        _refuse(cls.__name__)

    def __setitem__(cls, _: Any, __: Any) -> NoReturn:
        _refuse(cls.__name__)

    def __iter__(cls) -> Iterator[Any]:
        _refuse(cls.__name__)


def _absent(path: str, name: str) -> type:
    if name.startswith("__"):  # the interpreter asks for these, and goes on without
        raise AttributeError(name)
    return _Absent(path, (), {})


class _AbsentModule(ModuleType):
    def __getattr__(self, name: str) -> type:
        return _absent(f"{self.__name__}.{name}", name)


class Finder:
    """Asked last: a submission's own module of such a name comes first."""

    names = NAMES
    kind: type[ModuleType] = _AbsentModule
    heeds_try = True
    """An import in a ``try`` fails: its author has a way to do without."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        is_other = fullname.partition(".")[0] not in self.names
        if is_other or (self.heeds_try and _is_in_try(sys._getframe(1))):
            return None
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # no base class

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.kind(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


def _is_in_try(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    if frame is None or not frame.f_code.co_exceptiontable:
        return False
    import dis  # not at the top: only agents that import such a module need it

    handlers = vars(dis.Bytecode(frame.f_code))["exception_entries"]
    return any(entry.start <= frame.f_lasti < entry.end for entry in handlers)


def offer() -> None:
    """Make the modules importable in this process."""
    sys.meta_path.append(Finder())
