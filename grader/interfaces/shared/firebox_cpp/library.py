"""A shared object made by ``compiler``, loaded into this process."""

import ctypes
from typing import Final

from firebox_native.objects import load_object, tell_lines

__all__ = ["Numbers", "load"]

Numbers: Final = ctypes.POINTER(ctypes.c_int)


def load(artefact: str) -> ctypes.PyDLL:
    """Load the object, and tell it its lines. Raises LoadError or MemoryError."""
    library = load_object(artefact)
    tell_lines(library, artefact)
    return library
