"""The strategies of Lin and Xu's paper, written for Firebox against the interface cs221-python.

``NAMES`` has them in the paper's order, with the mean score that it gives. They were built from a
description of their ideas, not from the authors' code; what they reach is measured beside those
figures by ``firebox paper``. Each but the oracle can be submitted (``bundle``).
"""

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, resources
from types import MappingProxyType
from typing import Any, Final

from grader.interfaces.cs221_python.firebox_cs221.seat import Cs221LocalSeat

__all__ = ["INTERFACE", "NAMES", "Strategy", "agent", "bundle", "local_seat"]

INTERFACE: Final = "cs221-python"

_DATE: Final = (1980, 1, 1, 0, 0, 0)
_ALSO: Final = {"information": ("informationless",)}
_RELATIVE: Final = re.compile(r"from \.(\w+) import")
_ADAPTER: Final = "grader.interfaces.cs221_python.firebox_cs221"
"""The folder of the simulator here; in a sandbox it is a top-level package."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One row of the paper's table."""

    title: str
    paper: float
    """Mean score in the paper, four players, 100 trials."""
    authors: float
    """Mean score of the authors' own program, three players."""
    sees_all: bool = False
    """It sees all cards: outside the sandbox only."""


NAMES: Final[Mapping[str, Strategy]] = MappingProxyType(
    {
        "random_legal": Strategy("random", 6, 6.4),
        "oracle": Strategy("oracle", 25, 24.7, sees_all=True),
        "informationless": Strategy("informationless", 16, 16.2),
        "information": Strategy("information", 19.2, 19.2),
        "internal_state": Strategy("internal state", 14, 14.5),
        "state_guess": Strategy("state-guess", 17.5, 17.8),
    }
)


def agent(name: str) -> Callable[[int], Any]:
    """The class of a strategy. Raises LookupError."""
    if name not in NAMES:
        raise LookupError(f"no strategy is called {name!r}; there are {', '.join(NAMES)}")
    class_name = "".join(map(str.capitalize, name.split("_"))) + "Strategy"
    make_agent: Callable[[int], Any] = getattr(import_module(f"{__name__}.{name}"), class_name)
    return make_agent


def local_seat(name: str, deck: Sequence[str] | None) -> Cs221LocalSeat:
    """A strategy in this process. ``deck`` is all cards, for one that sees them."""
    return Cs221LocalSeat(agent(name), deck)


def bundle(name: str) -> bytes:
    """Return the agent as a submission: a zip of its file and those it imports.

    Raises LookupError, also for the oracle, which sees nothing in a sandbox.
    """
    if name not in NAMES or NAMES[name].sees_all:
        raise LookupError(f"{name!r} cannot be submitted")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for module in sorted({"_shared", name, *_ALSO.get(name, ())}):
            text = (resources.files(__name__) / f"{module}.py").read_text()
            file = "agent.py" if module == name else f"{module}.py"
            text = text.replace(_ADAPTER, _ADAPTER.rpartition(".")[2])
            out.writestr(_info(file), _RELATIVE.sub(r"from \1 import", text))
    return archive.getvalue()


def _info(file: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(file, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
