"""A shared object made by ``compiler``, loaded into this process, and its functions."""

import ctypes
from typing import Final

from firebox_native.lines import read_appendix, rows_of
from firebox_native.objects import load_object

__all__ = ["Numbers", "load"]

Numbers: Final = ctypes.POINTER(ctypes.c_int)


def load(artefact: str) -> ctypes.PyDLL:
    """Load the object, and tell it its lines. Raises LoadError or MemoryError."""
    library = load_object(artefact)
    with open(artefact, "rb") as file:  # noqa: PTH123 - once a game
        table, names = read_appendix(file)
    library.firebox_lines.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p)
    library.firebox_lines(table, rows_of(table), names)
    library.kept = table, names  # type: ignore[attr-defined]  # the object looks into them
    return library
