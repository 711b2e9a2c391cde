"""Answers that may be some seconds old, for what many pages ask again and again.

Each process keeps its own. Nothing that decides anything may come from here.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings

T = TypeVar("T")


def recent(ask: Callable[[], T]) -> Callable[[], T]:
    """Cache ``ask`` for ``QUEUE_CACHE_SECONDS``."""
    kept: list[tuple[float, T]] = []

    def answer() -> T:
        now = time.monotonic()
        if not kept or now - kept[0][0] >= settings.QUEUE_CACHE_SECONDS:
            kept[:] = [(now, ask())]
        return kept[0][1]

    return answer
