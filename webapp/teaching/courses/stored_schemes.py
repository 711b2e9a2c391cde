"""Grading schemes as assignments store them."""

from functools import lru_cache
from typing import Any

import msgspec

from grader.core.records import from_json, to_json
from grader.results.grading_scheme import GradingScheme


def scheme_json(scheme: GradingScheme) -> dict[str, Any]:
    """Return a grading scheme as stored JSON; decimals are strings, to avoid rounding."""
    return dict(msgspec.json.decode(to_json(scheme)))


def scheme_of_json(stored: dict[str, Any]) -> GradingScheme:
    """Return a grading scheme that is stored as JSON."""
    return _scheme(msgspec.json.encode(stored))


@lru_cache(maxsize=64)  # each row of a table asks for that of its assignment
def _scheme(stored: bytes) -> GradingScheme:
    return from_json(stored, GradingScheme)
