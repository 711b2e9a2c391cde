"""Delete and change many rows in small transactions, so that locks are held only briefly."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from django.db import models, transaction

ROWS_AT_ONCE: Final = 500
"""A batch of this many games takes some hundredths of a second."""

_BATCHES_AT_ONCE: Final = 100
"""PostgreSQL may have to sort all rows that are left to read keys."""

AnyRows = models.QuerySet[Any]


class BatchDeadline:
    """The time until which work goes on; ``None``: until it is done."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


def in_batches(
    rows: AnyRows,
    act: Callable[[AnyRows], object],
    deadline: BatchDeadline,
    *,
    size: int = ROWS_AT_ONCE,
) -> int:
    """Apply ``act`` to all rows, each batch in a transaction of its own; return how many.

    ``rows`` are read once, by key from the lowest: what ``act`` does need not make them fewer.
    """
    done = 0
    for keys in _batches(rows, size):
        if deadline.is_over:
            break
        with transaction.atomic():
            act(rows.model._base_manager.filter(pk__in=keys))
        done += len(keys)
    return done


def _batches(rows: AnyRows, size: int) -> Iterator[Sequence[Any]]:
    reached = 0
    while True:
        part = rows.filter(pk__gt=reached).order_by("pk").values_list("pk", flat=True)
        keys = list(part[: size * _BATCHES_AT_ONCE])
        yield from (keys[start : start + size] for start in range(0, len(keys), size))
        if len(keys) < size * _BATCHES_AT_ONCE:
            return
        reached = keys[-1]


def raw_delete(rows: AnyRows) -> None:
    """Delete rows that nothing refers to, without reading them."""
    rows._raw_delete(rows.db)
