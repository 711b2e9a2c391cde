"""The interface ``ensta-python``: a class that derives from ``hanabi.ai.AI``."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from grader.core.games.hanabi.options import BUILT_IN_OPTIONS
from grader.core.records import Mode
from grader.interfaces.declaration import (
    Family,
    Interface,
    KitLibrary,
    KnownRules,
    Markers,
    adapter,
    marker,
)
from grader.interfaces.languages import ANY_PYTHON_FILE, NUMPY, PYTHON_LIBRARY, shared

_HERE: Final = Path(__file__).parent

INTERFACE: Final = Interface(
    name="ensta-python",
    title="Python, module hanabi (ENSTA Paris, IN104)",
    family=Family.COURSE,
    upload=ANY_PYTHON_FILE,
    markers=Markers(required=(marker(r"\bAI\b"), marker(r"def[ \t]+play[ \t]*\([ \t]*self\b"))),
    rules=KnownRules(game="hanabi", variant="ensta", fixed_options=BUILT_IN_OPTIONS),
    modes=(Mode.TEAM, Mode.SEAT),
    options={"no_numpy": "Agents may not import numpy."},
    libraries=(replace(NUMPY, option="no_numpy", by_default=True),),
    adapter=adapter(
        "firebox_ensta.entry",
        PYTHON_LIBRARY,
        shared("firebox_library"),
        _HERE / "firebox_ensta",
        _HERE / "hanabi",
    ),
    kit=KitLibrary(path=_HERE / "hanabi", put="hanabi/"),
)
