"""The simulator under each module name that agents may import it by.

A submission's own module of that name comes first.
"""

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

from . import simulator, util

SIMULATOR_MODULES: Final = frozenset(
    {
        *("agent", "agents", "hanabiAgents"),
        *("hanabi", "simulator", "game", "gameState", "gamestate", "state", "data"),
        *("rule", "rules", "deck", "table", "trash", "agentState"),
        *("util", "utils", "counter"),
    }
)
"""Names that mean the simulator, where a submission has no module of that name."""


class _Offer(MetaPathFinder, Loader):
    """Answers for names that nobody else knows."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a new module with all its contents, since an agent may change it."""
        del path, target
        return ModuleSpec(fullname, self) if fullname in SIMULATOR_MODULES else None

    def exec_module(self, module: ModuleType) -> None:
        """Fill it. ``import *`` gives all of it."""
        for source in (simulator, util):
            vars(module).update({name: getattr(source, name) for name in source.__all__})


def offer_simulator() -> None:
    """Make the names importable in this process, after everything else."""
    sys.meta_path.append(_Offer())
