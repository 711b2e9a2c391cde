"""The shapes of suits, which are SVG paths, as polygons: the image library draws no curves.

Reads the commands that the games' shapes use: M L H V C A Z, absolute and relative. Formulas of
curves and arcs: SVG 2, chapter 9 and its implementation notes.
"""

import re
from cmath import exp, phase, pi
from collections.abc import Iterator
from functools import cache
from math import sqrt
from typing import Final

_STEPS: Final = 12
"""Lines for each curve."""
_TOKEN: Final = re.compile(r"[A-Za-z]|-?(?:\d+\.\d+|\.\d+|\d+)")
_COUNTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}

Outline = tuple[complex, ...]


@cache
def outlines(path: str) -> tuple[Outline, ...]:
    """Return the closed outlines of a path. Points are complex numbers: x + y j."""
    done: list[Outline] = []
    points: list[complex] = []
    for letter, values in _commands(path):
        at = points[-1] if points else 0j
        if letter.upper() == "M" and points:
            done.append(tuple(points))
            points = []
        points += _line(letter, values, at, points[0] if points else at)
    return (*done, tuple(points))


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    letter, values = "", list[float]()
    for token in _TOKEN.findall(path):
        if token.isalpha():
            letter, values = token, []
        else:
            values.append(float(token))
        if len(values) == _COUNTS[letter.upper()]:
            yield letter, values
            letter, values = {"M": "L", "m": "l"}.get(letter, letter), []


def _line(letter: str, values: list[float], at: complex, first: complex) -> list[complex]:
    base = at if letter.islower() else 0j
    match letter.upper():
        case "Z":
            return [first]
        case "H":
            return [complex(base.real + values[0], at.imag)]
        case "V":
            return [complex(at.real, base.imag + values[0])]
        case "A":
            return _arc(at, values[0], values[3:5], base + complex(*values[5:]))
        case "C":
            a, b, c = (base + complex(*values[i : i + 2]) for i in (0, 2, 4))
            return [
                at * (1 - t) ** 3 + 3 * a * t * (1 - t) ** 2 + 3 * b * t**2 * (1 - t) + c * t**3
                for t in _parts()
            ]
        case _:
            return [base + complex(*values)]


def _arc(start: complex, radius: float, flags: list[float], end: complex) -> list[complex]:
    """Return an arc of a circle: no shape has an ellipse."""
    is_large, is_clockwise = map(bool, flags)
    half = (end - start) / 2
    radius = max(radius, abs(half))
    away = sqrt(radius**2 - abs(half) ** 2)
    side = 1j if is_large != is_clockwise else -1j
    centre = (start + end) / 2 + side * away * half / abs(half)
    angle = phase((end - centre) / (start - centre))
    if is_clockwise and angle < 0:
        angle += 2 * pi
    if not is_clockwise and angle > 0:
        angle -= 2 * pi
    return [centre + (start - centre) * exp(1j * angle * t) for t in _parts()]


def _parts() -> list[float]:
    return [step / _STEPS for step in range(1, _STEPS + 1)]
