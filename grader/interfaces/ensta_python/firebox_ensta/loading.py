"""The importer of a submission's modules together with the course's, of which it may bring some."""

import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from firebox.absent import offer
from firebox.loading import LoadError, SubmissionImporter, taken
from firebox.sources import Modules

from . import absent
from .sources import PACKAGE, EnstaArtefact

absent.install()  # before ours are imported, of which one looks for ``readline``
_FOLDER: Final = Path(str(importlib.import_module(PACKAGE).__file__)).parent


def _course() -> dict[str, CodeType]:
    names = {PACKAGE: "__init__.py"}
    names |= {f"{PACKAGE}.{name}": f"{name}.py" for name in ("ai", "ascii_art", "deck")}
    return {
        name: compile((_FOLDER / file).read_bytes(), f"<{name}>", "exec", dont_inherit=True)
        for name, file in names.items()
    }


_COURSE: Final = _course()


class CourseImporter(SubmissionImporter):
    """Imports a submission's modules, by all their names."""

    def __init__(self, modules: Modules, aliases: Mapping[str, str], directory: str) -> None:
        super().__init__(modules, directory, taken())
        self._aliases = aliases

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Also under the second name that a file at the top has."""
        if fullname in self._aliases and fullname.partition(".")[0] not in self.reserved:
            return ModuleSpec(fullname, _Alias(self._aliases[fullname]))
        return super().find_spec(fullname, path, target)


class _Alias(Loader):
    """Gives a module that has another name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: ARG002
        """The module itself."""
        module = importlib.import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: it has run. The importing machinery has taken it for another."""
        module.__spec__ = self._spec


def install(artefact: EnstaArtefact, directory: str) -> bool:
    """Make a submission's modules importable in this process; whether the cards are ours."""
    modules = artefact["modules"]
    ours = f"{PACKAGE}.deck" not in modules
    brings = any(name in modules for name in _COURSE)
    if brings:
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
        for name, code in _COURSE.items():
            modules.setdefault(name, (code, name == PACKAGE, f"<{name}>"))
    sys.meta_path.insert(0, CourseImporter(modules, artefact["aliases"], directory))
    offer()
    return ours


def load(artefact: EnstaArtefact, *, ours: bool) -> tuple[Any, ModuleType]:
    """Return the agent's class and the cards' module, ``ours`` or its own. Raises LoadError."""
    module, name = artefact["entry"]
    if not ours:
        return _class(module, name), importlib.import_module(f"{PACKAGE}.deck")
    deck: Any = importlib.import_module(f"{PACKAGE}.deck")
    deck._is_loading = True  # the agent's file may play games when it is run
    agent = _class(module, name)
    deck._is_loading = False
    return agent, deck


def _class(module: str, name: str) -> Any:
    agent = getattr(importlib.import_module(module), name)
    if not callable(agent):
        raise LoadError(f"{name} in {module} is no class")
    return agent
