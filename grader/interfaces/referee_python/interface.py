"""The interface ``referee-python``: a class with the methods ``action`` and ``update``.

Courses that set a new game each year hand out such a class.
"""

from pathlib import Path
from typing import Final

from grader.interfaces.declaration import Family, Interface, Markers, adapter, marker
from grader.interfaces.languages import PYTHON_LIBRARY, SCIENCE, SCIENCE_OPTIONS
from grader.uploads.shape import PYTHON_UPLOAD

_HERE: Final = Path(__file__).parent

INTERFACE: Final = Interface(
    name="referee-python",
    title="Python class with action and update",
    family=Family.LIBRARY,
    upload=PYTHON_UPLOAD,
    markers=Markers(
        required=(
            marker(r"^[ \t]+def[ \t]+action[ \t]*\([ \t]*self\b"),
            marker(r"^[ \t]+def[ \t]+update[ \t]*\([ \t]*self\b"),
        )
    ),
    options=SCIENCE_OPTIONS,
    libraries=SCIENCE,
    adapter=adapter("firebox_referee.entry", PYTHON_LIBRARY, _HERE / "firebox_referee"),
)
