"""The interface ``cs221-python``: a class with ``getAction``, in Python 3 or Python 2."""

from pathlib import Path
from typing import Final

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
from grader.interfaces.languages import ANY_PYTHON_FILE, NUMPY, NUMPY_OPTION, PYTHON_LIBRARY, shared

_ADAPTER: Final = Path(__file__).parent / "firebox_cs221"

INTERFACE: Final = Interface(
    name="cs221-python",
    title="Python, simulator of Lin and Xu",
    family=Family.COURSE,
    upload=ANY_PYTHON_FILE,
    markers=Markers(
        required=(marker(r"def[ \t]+getAction[ \t]*\("),),
        weak=marker(r"^[ \t]*(from|import)[ \t]+simulator\b"),
    ),
    rules=KnownRules(
        game="hanabi",
        variant="cs221",
        fixed_options=(
            "misplay",
            "five_returns_token",
            "discard_at_max",
            "empty_hints",
            "last_round",
            "draw_position",
            "swaps",
        ),
    ),
    options=NUMPY_OPTION,
    libraries=(NUMPY,),
    adapter=adapter("firebox_cs221.entry", PYTHON_LIBRARY, shared("firebox_library"), _ADAPTER),
    build=BuildSteps(seconds=20.0, trial_seconds=3.0),
    kit=KitLibrary(
        path=_ADAPTER,
        only=("simulator.py", "parts.py", "util.py"),
        replaced=(b"from .", b"from "),
    ),
)
