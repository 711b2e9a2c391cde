"""The interface ``fit2102-haskell``: a module ``Player`` with a function ``playCard``."""

from collections.abc import Mapping, Set
from pathlib import Path, PurePosixPath
from typing import Final

from grader.interfaces.declaration import (
    Allowance,
    BuildSteps,
    Family,
    Interface,
    KitLibrary,
    KnownRules,
    Markers,
    adapter,
    marker,
)
from grader.interfaces.languages import COMPILER_SECONDS, shared
from grader.uploads.shape import UploadShape
from sandbox.program import Runtime

_HERE: Final = Path(__file__).parent
_ENGINE: Final = _HERE / "fit2102_haskell"
_MODULES: Final = frozenset(path.relative_to(_ENGINE) for path in _ENGINE.rglob("*.hs"))


def _copies(files: Mapping[str, bytes]) -> Set[str]:
    paths = [PurePosixPath(name) for name in files]
    entries = [path for path in paths if path.name.lower() == "player.hs"]
    if not entries:
        return frozenset()
    top = min(entries, key=lambda path: (len(path.parts), path)).parent
    theirs = {top / "Main.hs", *(top / module for module in _MODULES)}
    return {path.as_posix() for path in paths if path in theirs}


INTERFACE: Final = Interface(
    name="fit2102-haskell",
    title="Haskell, Player.hs (Monash University, FIT2102)",
    family=Family.COURSE,
    upload=UploadShape(language="Haskell", suffixes=(".hs",), stored_as="Player.hs"),
    markers=Markers(required=(marker(r"\bplayCard\b"),)),
    rules=KnownRules(
        game="hearts",
        variant="fit2102",
        fixed_options=("passing", "bleeding", "queen_breaks"),
        players=(2, 4),
    ),
    runtime=Runtime(image="haskell", builder="haskell"),
    adapter=adapter(
        "firebox_haskell.fit2102",
        shared("firebox_native"),
        _HERE / "firebox_haskell",
        _HERE / "fit2102_haskell",
    ),
    build=BuildSteps(seconds=COMPILER_SECONDS),
    allowance=Allowance(memory_mib=192),
    kit=KitLibrary(path=_HERE / "fit2102_haskell", only=(".hs",), without=("FireboxAdapter.hs",)),
    copies=_copies,
)
