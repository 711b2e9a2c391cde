"""Formats the figures of several rounds."""

from collections.abc import Sequence
from statistics import median

__all__ = ["spread"]


def spread(values: Sequence[float], form: str) -> str:
    """Median, and in brackets the lowest and the highest."""
    return f"{median(values):{form}} ({min(values):{form}}–{max(values):{form}})"
