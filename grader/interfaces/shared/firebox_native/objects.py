"""A shared object made in a builder, loaded into this process."""

import ctypes
import os
import re
from typing import Final

from firebox_native.lines import read_appendix, rows_of

_NO_MEMORY: Final = re.compile("annot allocate|zero-fill|failed to map segment")
"""In what the dynamic linker says."""


class ObjectLoadError(Exception):
    """The object cannot be loaded, for want of memory or for another reason that it tells."""


def load_object(artefact: str) -> ctypes.PyDLL:
    """Load the object, which runs what it initialises, and tell it its lines.

    ``PyDLL``: there is one thread in this process, and nobody to hand over to.
    Raises ObjectLoadError or MemoryError.
    """
    try:
        library = ctypes.PyDLL(artefact)
    except OSError as error:
        library = _load_from_memory(artefact, str(error))
    _tell_lines(library, artefact)
    return library


def _tell_lines(library: ctypes.PyDLL, artefact: str) -> None:
    with open(artefact, "rb") as file:  # noqa: PTH123 - once a game
        table, names = read_appendix(file)
    library.firebox_lines.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p)
    library.firebox_lines(table, rows_of(table), names)
    library.kept = table, names  # type: ignore[attr-defined]  # the object looks into them


def _load_from_memory(artefact: str, reason: str) -> ctypes.PyDLL:
    """Load a library where files cannot be executed. A sandbox's filter forbids this, too."""
    try:
        descriptor = os.memfd_create("agent")
        with open(artefact, "rb") as file:  # noqa: PTH123
            os.write(descriptor, file.read())
        return ctypes.PyDLL(f"/proc/self/fd/{descriptor}")
    except OSError:
        raise (MemoryError if _NO_MEMORY.search(reason) else ObjectLoadError)(reason) from None
