"""Text that came from outside, on its way into the database."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from django.core.exceptions import ValidationError

_JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Marks without which some languages cannot be written."""
_UNSEEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode's general categories of controls, format marks, separators and non-characters."""
_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters, marks and a sign of other categories that are invisible, such as the Hangul filler."""
_MARKS: Final = {"Mn", "Me"}
"""Unicode's general categories of marks that stand on a letter."""
_MAX_MARKS: Final = 5
"""Marks on one letter: more than any language writes. Dozens reach into the lines around them."""


def storable(text: str, *, characters: int) -> str:
    """Cut a text to ``characters``, and replace NUL, which PostgreSQL cannot store in a text."""
    return text[:characters].replace("\x00", "\N{SYMBOL FOR NULL}")


def texts_in(value: object) -> Iterator[str]:
    """Yield the texts in a value of JSON, however deep they lie."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


def validate_name(name: str) -> None:
    """Raise ValidationError for a name with characters that cannot be seen, or that hide others.

    Among them are marks of reading direction, with which one name can be made to look like another.
    """
    unseen = [
        character
        for character in name
        if character in _BLANK
        or (character not in _JOINERS and unicodedata.category(character) in _UNSEEN)
    ]
    if unseen:
        what = unicodedata.name(unseen[0], "").lower() or f"U+{ord(unseen[0]):04X}"
        raise ValidationError(f"This contains an invisible character ({what}). Remove it.")
    if name and not name.strip(_JOINERS + " "):
        raise ValidationError("This contains no visible character.")
    runs = groupby(name, key=lambda character: unicodedata.category(character) in _MARKS)
    if any(is_mark and len(list(run)) > _MAX_MARKS for is_mark, run in runs):
        raise ValidationError(f"This has more than {_MAX_MARKS} marks on one letter.")
