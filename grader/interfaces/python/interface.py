"""The interface ``python``: a subclass of ``firebox.Agent``. It is the default."""

from typing import Final

from grader.interfaces.declaration import (
    Adapter,
    Family,
    Interface,
    KitLibrary,
    Markers,
    marker,
)
from grader.interfaces.languages import PYTHON_LIBRARY
from grader.uploads.archive import PYTHON_UPLOAD

INTERFACE: Final = Interface(
    name="python",
    title="Python class",
    family=Family.LIBRARY,
    upload=PYTHON_UPLOAD,
    markers=Markers(required=(marker(r"^[ \t]*(from|import)[ \t]+firebox\b"),)),
    adapter=Adapter(
        paths=(PYTHON_LIBRARY,),
        play="firebox.entry:play",
        build="firebox.entry:build",
        preload=("firebox.entry",),
    ),
    kit=KitLibrary(path=PYTHON_LIBRARY, put="firebox/", installed=True),
)
