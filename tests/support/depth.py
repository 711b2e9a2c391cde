"""The depth of the tests: that of ``make test``, or of ``make test-deep``."""

import os
from typing import Final, TypeVar

Amount = TypeVar("Amount")

DEEP: Final = os.environ.get("FIREBOX_TEST_DEPTH") == "deep"
"""Whether this run is ``make test-deep``."""


def deeper(usual: Amount, *, deep: Amount) -> Amount:
    """Return the amount for this run: the usual one, or the larger one of ``make test-deep``."""
    return deep if DEEP else usual
