"""Hostile programs in Java."""

from typing import Final

from grader.interfaces.hostile import BLOCK_COMMENT, HostileLanguage, knows_its_partners_card

LANGUAGE: Final = HostileLanguage(
    suffix=".java",
    kit="Hostile.java",
    docstring=BLOCK_COMMENT,
    is_armed=knows_its_partners_card,
)
