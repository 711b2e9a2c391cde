"""The interface ``fit2102-haskell``: a module ``Player`` with a function ``playCard``."""

from pathlib import Path
from typing import Final

from grader.interfaces.declaration import (
    Allowance,
    BuildSteps,
    Family,
    Interface,
    KitLibrary,
    KnownRules,
    Markers,
    Runtime,
    UploadShape,
    adapter,
    marker,
)
from grader.interfaces.languages import COMPILER_SECONDS, shared

_HERE: Final = Path(__file__).parent

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
)
