"""The row for ``stdio-python`` on the guide's page on the wire protocol."""

from typing import Final

from grader.interfaces.guide import InterfaceGuide

GUIDE: Final = InterfaceGuide(
    entry="``main.py``, as a program; other modules of a zip can be imported.",
    provided="Python 3.11 with its standard library.",
)
