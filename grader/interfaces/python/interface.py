"""The interface ``python``: a subclass of ``firebox.Agent``. It is the default."""

from typing import Final

from grader.interfaces.declaration import (
    Family,
    Interface,
    KitLibrary,
    Markers,
    adapter,
    marker,
)
from grader.interfaces.languages import PYTHON_LIBRARY, SCIENCE, SCIENCE_OPTIONS
from grader.uploads.shape import PYTHON_UPLOAD

INTERFACE: Final = Interface(
    name="python",
    title="Python class",
    family=Family.LIBRARY,
    upload=PYTHON_UPLOAD,
    markers=Markers(required=(marker(r"^[ \t]*(from|import)[ \t]+firebox\b"),)),
    options=SCIENCE_OPTIONS,
    libraries=SCIENCE,
    adapter=adapter("firebox.entry", PYTHON_LIBRARY),
    kit=KitLibrary(path=PYTHON_LIBRARY, put="firebox/", installed=True),
)
