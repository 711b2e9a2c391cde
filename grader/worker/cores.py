"""The processors that play games, and binding a process to one of them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["bound_to", "cores_from_environment"]


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
    first, _, last = part.partition("-")
    if not first.strip().isdigit() or (last and not last.strip().isdigit()):
        raise ValueError(f"FIREBOX_CORES: {part!r} is neither a number nor a range of numbers")
    cores = range(int(first), int(last or first) + 1)
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
