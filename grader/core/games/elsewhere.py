"""A play for another site that shows games of its kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Elsewhere"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A play in another site's format, or the reason why that site cannot show it."""

    site: str
    """The name of the other site."""
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
