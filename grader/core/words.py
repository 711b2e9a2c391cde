"""Numbers in sentences, and untrusted text made printable, for pages and the command."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_BLANK_LETTERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Hangul fillers and the empty Braille pattern: letters and symbols that show nothing."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 game``, ``1,000 games``; with an irregular ``plural``: ``1 person``, ``2 people``."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def imperative(words: str) -> str:
    """``Pass``, ``Drop into column 4`` for what somebody does: ``drops into column 4``."""
    verb, space, rest = words.partition(" ")
    ending = "es" if verb.endswith(("sses", "shes", "ches", "xes")) else "s"
    return verb.removesuffix(ending).capitalize() + space + rest


def seat_words(seat: int) -> str:
    """``seat 1`` for the seat that records and the protocol call 0: people count from 1."""
    return f"seat {seat + 1}"


def either(choices: Iterable[object]) -> str:
    """``2, 3 or 4``; one choice is said alone. There must be one."""
    *others, last = map(str, choices)
    return f"{', '.join(others)} or {last}" if others else last


def percent(part: int, whole: int) -> str:
    """``0.3%``. Only none of all is shown as ``0%``, and only all as ``100%``."""
    if not whole:
        return "–"
    if part and 1000 * part < whole:
        return "< 0.1%"
    if part < whole and 1000 * (whole - part) < whole:
        return "> 99.9%"
    return f"{100 * part / whole:.1f}".removesuffix(".0") + "%"


def share(part: int, whole: int) -> str:
    """``3 of 1,000 (0.3%)``."""
    words = f"{part:,} of {whole:,}"
    return f"{words} ({percent(part, whole)})" if whole else words


def byte_words(size: int) -> str:
    """``300 bytes``, ``1.5 KiB``, ``20 MiB``."""
    if size < 1024:
        return counted(size, "byte")
    if size < 1 << 20:
        return f"{size / 1024:.3g} KiB"
    return f"{size / (1 << 20):.3g} MiB"


def printable(text: str) -> str:
    """Text that may come from an agent, fit for a terminal or a page: controls shown as escapes."""
    return _CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def is_invisible(character: str) -> bool:
    """Return whether nobody sees this character: controls, marks and blanks, but not a space."""
    kind = unicodedata.category(character)
    return character != " " and (kind[0] in "CMZ" or character in _BLANK_LETTERS)
