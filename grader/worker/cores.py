"""The processors that play games, and binding a process to one of them."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_PART: Final = re.compile("(?P<first>[0-9]{1,5})(?: *- *(?P<last>[0-9]{1,5}))?")


def cores_from_environment() -> tuple[int, ...]:
    """Processors given to grading: ``FIREBOX_CORES`` (such as ``0,2-5``), else all of this process.

    Raises ValueError for a list that names no processor, or one that this process may not use.
    """
    usable = sorted(os.sched_getaffinity(0))
    text = os.environ.get("FIREBOX_CORES", "").strip()
    if not text:
        return tuple(usable)
    cores = sorted({core for part in text.split(",") for core in _range(part)})
    if not set(cores) <= set(usable):
        raise ValueError(f"FIREBOX_CORES={text}: this host offers {usable}")
    return tuple(cores)


def _range(part: str) -> range:
    match = _PART.fullmatch(part.strip())
    if match is None:
        raise ValueError(f"FIREBOX_CORES: {part!r} is neither a number nor a range of numbers")
    cores = range(int(match["first"]), int(match["last"] or match["first"]) + 1)
    if not cores:
        raise ValueError(f"FIREBOX_CORES: the range {part!r} is empty")
    return cores


@contextmanager
def bound_to(*cores: int) -> Iterator[None]:
    """Bind this process to these cores temporarily; a slot's process is bound permanently."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
