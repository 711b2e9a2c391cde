"""The libraries of the language, loaded once for all of a supervisor's processes."""

import ctypes
import os
import resource
from typing import Final

_LIBRARIES: Final = "/usr/lib/haskell/libraries.so"
"""Made with the image: depends on all libraries that agents are linked with, and on the runtime."""
_MIB: Final = 1 << 20
_BESIDE_HEAP_MIB: Final = 192
"""Address space of a process beside the heap: Python, the libraries, the agent's code."""
_STACK_SHARE: Final = 0.4


def load_libraries() -> None:
    """Load them, where they are. Objects that are loaded later find them by their names."""
    if os.path.exists(_LIBRARIES):  # noqa: PTH110 - a small heap for what is forked
        ctypes.PyDLL(_LIBRARIES)


def options() -> str:
    """Return the runtime's options in this process, whose memory is limited already.

    ``-V0``: no timer, and so no thread of its own. ``-M``: the heap's limit; without a limit of the
    address space, as on a laptop without a sandbox, the runtime's own. ``-c100``: no compacting
    collector near that limit, which is slow, and fails on large stacks. ``-K``: a stack that is too
    deep is the agent's error, and said to be one, while there is memory to say so.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return "-V0 -A1m"
    heap = max(limit // _MIB - _BESIDE_HEAP_MIB, 16)
    return f"-V0 -A1m -c100 -M{heap}m -K{max(int(heap * _STACK_SHARE), 8)}m"
