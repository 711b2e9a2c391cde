"""The interface ``stdio-python``: a program ``main.py``, run as ``__main__``."""

from pathlib import Path
from typing import Final

from grader.interfaces.declaration import Family, Interface, Markers, adapter, marker
from grader.interfaces.languages import (
    PYTHON_LIBRARY,
    SAYS_READY,
    SCIENCE,
    SCIENCE_OPTIONS,
    shared,
)
from grader.uploads.shape import UploadShape

_HERE: Final = Path(__file__).parent

INTERFACE: Final = Interface(
    name="stdio-python",
    title="Python program over standard input and output",
    family=Family.PROGRAM,
    upload=UploadShape(language="Python", suffixes=(".py",), stored_as="main.py", entry="main.py"),
    markers=Markers(
        required=(
            SAYS_READY,
            marker(r"\bstdin\b|\binput[ \t]*\(|\bopen[ \t]*\([ \t]*0\b|\bread[ \t]*\(0"),
        )
    ),
    options=SCIENCE_OPTIONS,
    libraries=SCIENCE,
    adapter=adapter(
        "firebox_stdio_python.entry",
        PYTHON_LIBRARY,
        shared("firebox_stdio"),
        _HERE / "firebox_stdio_python",
    ),
)
