"""Names of people as they are spoken, and in lists with the last name first. Pure."""

import re
from collections.abc import Sequence
from typing import Final

_SUFFIXES: Final = frozenset({"jr", "sr", "jnr", "snr", "ii", "iii", "iv", "phd", "md", "esq"})
_AFTER_GIVEN: Final = _SUFFIXES | {"v", "vi", "junior", "senior"}
"""Suffixes after a given name: instead of a given name, ``Junior`` and ``V`` would be the name."""
_PARTICLES: Final = frozenset(
    ("de", "del", "di", "da", "das", "do", "dos", "du", "la", "las", "los", "van", "von", "der")
)
_SMALL_PARTICLES: Final = frozenset(
    ("le", "el", "al", "bin", "ibn", "den", "ter", "ten", "te", "zu", "zur", "zum", "vom", "des")
)
"""In lower case only: with a capital they are as often given names."""


def as_spoken(name: str) -> str:
    """Turn ``Lovelace, Ada`` round. A suffix follows the last name: ``Ada King, Jr.``."""
    last, *others = [part.strip() for part in name.split(",") if part.strip()] or [""]
    given: list[str] = []
    suffixes: list[str] = []
    for part in others:
        known = _AFTER_GIVEN if given else _SUFFIXES
        (suffixes if _plain(part) in known else given).append(part)
    if not given:
        return name
    words = given[-1].split()
    behind = words.pop() if len(words) > 1 and _plain(words[-1]) in _SUFFIXES else ""
    given[-1] = " ".join(words)
    return ", ".join([f"{', '.join(given)} {last} {behind}".strip(), *suffixes])


def first_and_last(name: str) -> tuple[str, str]:
    """Split a spoken name before its last name, which keeps particles and suffixes.

    ``Ana``, ``de la Cruz``; ``Ada``, ``King, Jr.``. A single word is a last name.
    """
    head, comma, suffixes = name.partition(",")
    words = head.split()
    start = _start_of_last(words)
    return " ".join(words[:start]), " ".join(words[start:]) + comma + suffixes


def _start_of_last(words: Sequence[str]) -> int:
    start = len(words) - 1
    if start > 1 and _plain(words[start]) in _SUFFIXES:
        start -= 1
    while start > 1 and _is_particle(words[start - 1]):
        start -= 1
    return max(start, 0)


def _is_particle(word: str) -> bool:
    return word.lower() in _PARTICLES or word in _SMALL_PARTICLES


def _plain(word: str) -> str:
    return re.sub(r"[.\s]", "", word).lower()
