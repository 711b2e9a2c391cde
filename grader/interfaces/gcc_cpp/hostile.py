"""Hostile programs in C++."""

from typing import Final

from grader.interfaces.hostile import BLOCK_COMMENT, HostileLanguage, knows_its_partners_card

LANGUAGE: Final = HostileLanguage(
    suffix=".h",
    kit="hostile.h",
    docstring=BLOCK_COMMENT,
    is_armed=knows_its_partners_card,
)
