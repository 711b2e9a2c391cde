"""Imports a submission's compiled modules.

Names of the standard library and of this package always mean these; a submission's modules come
next, before other installed ones. So a student's ``random.py`` only breaks its own import, and
``shadowed`` finds it so that the student can be told. Where agents of a course are played, whose
own files came before the library's, only what has been imported already is reserved.

Every game's process is forked with the modules that are imported here, so there is no pathlib.
"""

import os
import sys
from collections.abc import Mapping, Sequence, Set
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any, Final

import firebox
from firebox import absent
from firebox.sources import Modules

LIBRARY: Final = os.path.dirname(os.path.dirname(firebox.__file__))  # noqa: PTH120 - heap
"""The folder of this package: another one in the sandbox than where the author has it."""
_OURS: Final = frozenset(
    name
    for name in os.listdir(LIBRARY)  # noqa: PTH208 - heap
    if name.startswith("firebox") and name.isidentifier()
)
"""The packages that serve an agent here: all have names that begin so."""
RESERVED: Final = sys.stdlib_module_names | _OURS
_NEEDED_LATER: Final = frozenset({"heapq", "unicodedata"})
"""Modules that the library imports only when the code that runs an agent uses them."""


def taken() -> Set[str]:
    """The least that has to be reserved: what this process has, or cannot do without."""
    loaded = {name.partition(".")[0] for name in sys.modules} | set(sys.builtin_module_names)
    inner = {name for name in sys.stdlib_module_names if name.startswith("_")}
    return (loaded & sys.stdlib_module_names) | inner | _NEEDED_LATER | _OURS


class LoadError(Exception):
    """The submission cannot be used, for a reason that its traceback would not tell."""


class SubmissionImporter:
    """Imports the modules of one submission from memory.

    A finder and a loader, without their base classes: to import those loads 15 modules that every
    game's process would be forked with.
    """

    def __init__(self, modules: Modules, directory: str, reserved: Set[str] = RESERVED) -> None:
        self._modules = modules
        self.reserved = reserved
        self._directory = directory.rstrip("/")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the submission's own modules, except those with a reserved name."""
        del path, target
        module = self._modules.get(fullname)
        if module is None or fullname.partition(".")[0] in self.reserved:
            return None
        _, is_package, file = module
        origin = f"{self._directory}/{file}"
        spec = ModuleSpec(
            fullname,
            self,  # type: ignore[arg-type]  # a loader without its base class
            origin=origin,
            is_package=is_package,
        )
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [origin.rpartition("/")[0]]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave that to the interpreter."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        code: CodeType = self._modules[module.__name__][0]
        exec(code, module.__dict__)  # noqa: S102 - what loading a module is


def install(modules: Modules, directory: str, reserved: Set[str] = RESERVED) -> None:
    """Make a submission's modules importable in this process, for good."""
    sys.meta_path.insert(0, SubmissionImporter(modules, directory, reserved))
    absent.offer()


def shadowed(modules: Modules) -> list[str]:
    """The submission's files that can't be imported, for their names mean something else."""
    reserved = _reserved()
    hidden = {name for name in modules if name.partition(".")[0] in reserved}
    visible = {file for name, (_, _, file) in modules.items() if name not in hidden}
    return sorted({modules[name][2] for name in hidden if "." not in name} - visible)


def _reserved() -> Set[str]:
    importers = (finder for finder in sys.meta_path if isinstance(finder, SubmissionImporter))
    return next((importer.reserved for importer in importers), RESERVED)


def left_out(name: str) -> bool:
    """Return whether a missing module belongs to the standard library: not all of it is here."""
    return name in sys.stdlib_module_names


def agent_class(namespace: Mapping[str, Any], module: str = "agent") -> type[Any]:
    """The class to play with: the one called ``Agent``, else the only subclass defined there.

    Raises LoadError saying what to do.
    """
    named = namespace.get("Agent")
    if isinstance(named, type) and named is not firebox.Agent:
        return named
    classes = [
        value
        for name, value in namespace.items()
        if isinstance(value, type)
        and issubclass(value, firebox.Agent)
        and value.__module__ == module
        and name == value.__name__
    ]
    if len(classes) == 1:
        return classes[0]
    if classes:
        names = ", ".join(value.__name__ for value in classes)
        raise LoadError(
            f"{module}.py defines several agents ({names}): name the one to play Agent, "
            f"or add a line like Agent = {classes[-1].__name__}"
        )
    raise LoadError(f"{module}.py defines no agent: write a class that inherits from firebox.Agent")
