"""Text that came from outside, on its way into the database."""

import unicodedata
from typing import Final

from django.core.exceptions import ValidationError

_JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Marks without which some languages cannot be written."""
_UNSEEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode's general categories of controls, format marks, separators and what is no character."""


def storable(text: str, *, characters: int) -> str:
    """At most so many characters, and no NUL: PostgreSQL has no place for it in a text."""
    return text[:characters].replace("\x00", "\N{SYMBOL FOR NULL}")


def validate_name(name: str) -> None:
    """Raise ValidationError for a name with characters that cannot be seen.

    Among them are marks of reading direction, with which one name can be made to look like another.
    """
    unseen = [
        character
        for character in name
        if character not in _JOINERS and unicodedata.category(character) in _UNSEEN
    ]
    if unseen:
        what = unicodedata.name(unseen[0], "").lower() or f"U+{ord(unseen[0]):04X}"
        raise ValidationError(f"This contains an invisible character ({what}). Remove it.")
