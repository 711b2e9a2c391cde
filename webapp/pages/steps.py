"""The distance between the marks of a scale."""

from math import floor, log10


def step_for(width: float, *, most: int, finest: float = 1) -> float:
    """Return the smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that fits ``width`` ``most`` times.

    It is not below ``finest``, which is one of them.
    """
    least = max(width / most, finest)
    steps = (factor * 10.0 ** floor(log10(least)) for factor in (1, 2, 5, 10))
    return next(step for step in steps if step >= least * (1 - 1e-9))
