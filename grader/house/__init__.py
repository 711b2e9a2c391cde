"""House agents: our own players of known strength, written against ``firebox`` alone.

Those of Hanabi are here, those of other games in packages of their own.

They are reference lines on leaderboards, fillers at mixed tables, and examples to students. Each
can be submitted as it is: ``bundle`` gives the archive. They see what any agent sees, and nothing
else; their only randomness is the seed they are given.
"""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module, resources
from types import MappingProxyType
from typing import Final

from firebox import Agent
from grader.interfaces import DEFAULT_INTERFACE

__all__ = ["INTERFACE", "NAMES", "AgentFamily", "agent", "bundle"]

INTERFACE: Final = DEFAULT_INTERFACE
"""The interface that they are written against."""

NAMES: Final[Mapping[str, str]] = {
    "random_legal": "any legal action, each as likely as the others",
    "outer": "plays and discards only what is certain, and hints at the rest",
    "iggi": "plays cards that must fit, hints at cards that fit, discards the oldest card",
    "piers": "plays like Iggi, but takes a risk while it has a life to spare",
    "convention_1": "a hint means that the newest card it touches fits",
    "convention_2": "plays like Connie, and a hint may also mean: keep the card you would discard",
    "convention": "plays like Conrad, and silence means that no card is in danger",
    "recommendation": "every hint says what each of the others should do; made for three or more",
    "information": "hat guessing: every hint tells all the others something about their hands",
}
"""One line about each, weakest first (with two players, ``convention`` is the strongest)."""

_SHARED: Final = ("_hats", "_knowledge", "_public", "_rules", "_signals")
_ALSO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"convention_2": ("convention_1",), "convention": ("convention_1", "convention_2")}
)
"""The other agents that one is built upon."""

_DATE: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class AgentFamily:
    """The house agents of a package, one a module."""

    package: str
    names: Mapping[str, str]
    shared: tuple[str, ...]
    """Modules that every agent may import."""
    also: Mapping[str, tuple[str, ...]]
    """The other modules that one is built upon."""
    characters: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Names for people, with the few words that tell them apart."""

    def agent(self, name: str) -> type[Agent]:
        """The class of a house agent: ``random_legal`` has ``RandomLegal``. Raises LookupError."""
        self._require(name)
        module = import_module(f"{self.package}.{name}")
        agent_class: type[Agent] = getattr(module, _class_name(name))
        return agent_class

    def bundle(self, name: str) -> bytes:
        """The agent as a submission: a zip with an ``agent.py``, the same bytes every time.

        Raises LookupError.
        """
        self._require(name)
        class_name = _class_name(name)
        files = {
            "agent.py": f"from house.{name} import {class_name} as Agent\n\n__all__ = ['Agent']\n",
            "house/__init__.py": '"""A house agent of Firebox and what it is made of."""\n',
        }
        for module in (*self.shared, *self.also.get(name, ()), name):
            source = resources.files(self.package) / f"{module}.py"
            files[f"house/{module}.py"] = source.read_text()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for path in sorted(files):
                out.writestr(zipfile.ZipInfo(path, _DATE), files[path], zipfile.ZIP_DEFLATED)
        return archive.getvalue()

    def _require(self, name: str) -> None:
        if name not in self.names:
            known = ", ".join(self.names)
            raise LookupError(f"no house agent is called {name!r}; there are {known}")


def _class_name(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


_HANABI: Final = AgentFamily(__name__, NAMES, _SHARED, _ALSO)
agent = _HANABI.agent
bundle = _HANABI.bundle
