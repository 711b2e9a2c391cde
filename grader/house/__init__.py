"""House agents: our own players of known strength, written against ``firebox`` alone.

Those of Hanabi are here, those of other games in packages of their own.

They are reference lines on leaderboards, fillers at mixed tables, and examples to students. Each
can be submitted as it is: ``bundle`` gives the archive. They see what any agent sees, and nothing
else; their only randomness is the seed they are given.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence
from importlib import import_module, resources
from types import MappingProxyType
from typing import Final

from firebox import Agent
from grader.interfaces import DEFAULT_INTERFACE

__all__ = ["INTERFACE", "NAMES", "agent", "bundle", "class_name_of", "packed"]

INTERFACE: Final = DEFAULT_INTERFACE
"""The interface that they are written against."""

NAMES: Final[Mapping[str, str]] = {
    "random_legal": "any legal action, each as likely as the others",
    "outer": "plays and discards only what is certain, and hints at the rest",
    "iggi": "plays cards that must fit, hints at cards that fit, discards the oldest card",
    "piers": "like IGGI, but takes a risk while it has a life to spare",
    "convention_1": "a hint means that the newest card it touches fits",
    "convention_2": "as convention_1, and a hint may mean: keep the card that you would discard",
    "convention": "as convention_2, and silence means that no card is in danger",
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


def _class_name(name: str) -> str:
    if name not in NAMES:
        raise LookupError(f"no house agent is called {name!r}; there are {', '.join(NAMES)}")
    return class_name_of(name)


def agent(name: str) -> type[Agent]:
    """The class of a house agent. Raises LookupError."""
    class_name = _class_name(name)
    agent_class: type[Agent] = getattr(import_module(f"{__name__}.{name}"), class_name)
    return agent_class


def bundle(name: str) -> bytes:
    """The agent as a submission: a zip with an ``agent.py``, the same bytes every time.

    Raises LookupError.
    """
    return packed(__name__, (*_SHARED, *_ALSO.get(name, ()), name), name, _class_name(name))


def packed(package: str, modules: Sequence[str], name: str, class_name: str) -> bytes:
    """A zip whose ``agent.py`` plays the class of module ``name``, with these modules beside it."""
    entry = f"from house.{name} import {class_name} as Agent\n\n__all__ = ['Agent']\n"
    files = {
        "agent.py": entry,
        "house/__init__.py": '"""A house agent of Firebox and what it is made of."""\n',
    }
    for module in modules:
        files[f"house/{module}.py"] = (resources.files(package) / f"{module}.py").read_text()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for path in sorted(files):
            out.writestr(zipfile.ZipInfo(path, _DATE), files[path], zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def class_name_of(name: str) -> str:
    """The class in the module of a house agent: ``random_legal`` has ``RandomLegal``."""
    return "".join(map(str.capitalize, name.split("_")))
