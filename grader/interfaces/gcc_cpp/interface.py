"""The interface ``gcc-cpp``: a class ``Player`` in a header ``Player.h``, for two."""

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
from grader.interfaces.languages import COMPILER_SECONDS, CPP_RUNTIME, shared
from grader.uploads.shape import UploadShape

_HERE: Final = Path(__file__).parent
_HEADERS: Final = frozenset(path.name.lower() for path in (_HERE / "gcc_cpp").glob("*.h"))


def _copies(files: Mapping[str, bytes]) -> Set[str]:
    return {name for name in files if PurePosixPath(name).name.lower() in _HEADERS}


INTERFACE: Final = Interface(
    name="gcc-cpp",
    title="C++, Player.h (Grove City College)",
    family=Family.COURSE,
    upload=UploadShape(language="C++", suffixes=(".h", ".hpp"), stored_as="Player.h"),
    markers=Markers(required=(marker(r"\bclass[ \t]+Player\b"),)),
    rules=KnownRules(game="hanabi", variant="gcc", fixed_options=BUILT_IN_OPTIONS, players=(2,)),
    runtime=CPP_RUNTIME,
    adapter=adapter(
        "firebox_gcc.entry",
        shared("firebox_native"),
        shared("firebox_cpp"),
        _HERE / "firebox_gcc",
        _HERE / "gcc_cpp",
    ),
    build=BuildSteps(seconds=COMPILER_SECONDS, debug="firebox_gcc.entry:build_checked"),
    kit=KitLibrary(path=_HERE / "gcc_cpp", only=(".h",)),
    copies=_copies,
)
