"""The same game on another site: what a game offers whose kind is shown elsewhere, too."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Elsewhere"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A play as another site reads it; or why that site cannot show it."""

    site: str
    """Its name, as people write it."""
    refusal: str = ""
    """The reason why it cannot be shown there, as a sentence; empty if it can."""
    file: Mapping[str, Any] | None = None
    """The JSON that the site reads. It names no person."""
    link: str = ""
    """An address that opens the game there; empty if a link cannot carry it."""
    why_no_link: str = ""
    """The reason why it cannot, as a sentence."""
    note: str = ""
    """A sentence on what looks different there."""
