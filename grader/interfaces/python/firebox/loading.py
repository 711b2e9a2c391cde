"""From compiled modules to a living agent: the importer of a submission's modules.

Names of the standard library and of this package always mean just these; a submission's modules
come next, before whatever else is installed. So a student's ``random.py`` breaks nothing but its
own import, and ``shadowed`` finds it so that the student can be told.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any, Final

import firebox
from firebox.sources import Modules

__all__ = ["RESERVED", "LoadError", "agent_class", "install", "left_out", "shadowed"]

RESERVED: Final = sys.stdlib_module_names | {"firebox", "firebox_ensta"}


class LoadError(Exception):
    """The submission cannot be used, for a reason that its traceback would not tell."""


class SubmissionImporter(MetaPathFinder, Loader):
    """Imports the modules of one submission from memory."""

    def __init__(self, modules: Modules, directory: str) -> None:
        self._modules = modules
        self._directory = directory.rstrip("/")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the submission's own modules, except those with a reserved name."""
        del path, target
        module = self._modules.get(fullname)
        if module is None or fullname.partition(".")[0] in RESERVED:
            return None
        _, is_package, file = module
        origin = f"{self._directory}/{file}"
        spec = ModuleSpec(fullname, self, origin=origin, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [origin.rpartition("/")[0]]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        code: CodeType = self._modules[module.__name__][0]
        exec(code, module.__dict__)  # noqa: S102 - what loading a module is


def install(modules: Modules, directory: str) -> None:
    """Make a submission's modules importable in this process, for good."""
    sys.meta_path.insert(0, SubmissionImporter(modules, directory))


def shadowed(modules: Modules) -> list[str]:
    """The submission's files that can't be imported, for their names mean something else."""
    names = {name.partition(".")[0] for name in modules} & RESERVED
    return sorted(modules[name][2] for name in names)


def left_out(name: str) -> bool:
    """Whether a module that was not found is the standard library's own: not all of it is here."""
    return name in sys.stdlib_module_names


def agent_class(namespace: Mapping[str, Any], module: str = "agent") -> type[Any]:
    """The class to play with: the one called ``Agent``, else the only subclass defined there.

    Raises LoadError saying what to do.
    """
    named = namespace.get("Agent")
    if isinstance(named, type) and named is not firebox.Agent:
        return named
    found = [
        value
        for name, value in namespace.items()
        if isinstance(value, type)
        and issubclass(value, firebox.Agent)
        and value.__module__ == module
        and name == value.__name__
    ]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(value.__name__ for value in found)
        raise LoadError(
            f"{module}.py defines several agents ({names}): name the one to play Agent, "
            f"or add a line like Agent = {found[-1].__name__}"
        )
    raise LoadError(f"{module}.py defines no agent: write a class that inherits from firebox.Agent")
