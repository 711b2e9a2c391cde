"""The interface ``uwa-java``: a class that implements ``hanabAI.Agent``."""

from collections.abc import Mapping, Set
from pathlib import Path, PurePosixPath
from typing import Final

from grader.core.games.hanabi.options import BUILT_IN_OPTIONS
from grader.interfaces.declaration import (
    BuildSteps,
    Family,
    Interface,
    KitLibrary,
    KnownRules,
    Markers,
    adapter,
    marker,
)
from grader.interfaces.languages import (
    COMPILER_SECONDS,
    JAVA_ALLOWANCE,
    JAVA_RUNTIME,
    JAVA_UPLOAD,
    shared,
)

_HERE: Final = Path(__file__).parent
_FRAMEWORK: Final = frozenset(path.name for path in (_HERE / "hanabAI").glob("*.java"))
_IN_PACKAGE: Final = marker(r"^\s*package\s+hanabAI\s*;")


def _copies(files: Mapping[str, bytes]) -> Set[str]:
    named = {name for name in files if PurePosixPath(name).name in _FRAMEWORK}
    return {name for name in named if _IN_PACKAGE.search(files[name])}


INTERFACE: Final = Interface(
    name="uwa-java",
    title="Java, package hanabAI (University of Western Australia)",
    family=Family.COURSE,
    upload=JAVA_UPLOAD,
    markers=Markers(required=(marker(r"\bhanabAI\b"),)),
    rules=KnownRules(
        game="hanabi",
        variant="uwa",
        fixed_options=(
            *BUILT_IN_OPTIONS,
            "lives",
            "five_returns_token",
            "discard_at_max",
            "swaps",
        ),
    ),
    hears_own_seats=True,
    options={
        "legacy_first_state": "The state before the first cannot be asked for: getPreviousState()"
        " throws a NullPointerException, as in the course's code before October 2018."
    },
    runtime=JAVA_RUNTIME,
    adapter=adapter(
        "firebox_uwa.entry",
        shared("firebox_java"),
        _HERE / "firebox_uwa",
        _HERE / "hanabAI",
        readable=True,
        reusable=True,
    ),
    build=BuildSteps(seconds=COMPILER_SECONDS),
    allowance=JAVA_ALLOWANCE,
    kit=KitLibrary(
        path=_HERE / "hanabAI",
        put="hanabAI/",
        # Two need what no student has; the third is for agents that come without it.
        without=("FireboxAdapter.java", "FireboxTable.java", "BasicAgent.java"),
    ),
    copies=_copies,
)
