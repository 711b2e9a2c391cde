"""The module ``heapq`` for translated modules: anything on a heap can be compared, as in Python 2.

The library's functions do the work. Where one of them stops at things that it cannot compare, it
has moved an item a part of its way, and the item goes on from there.
"""

import heapq
from collections.abc import Iterable
from heapq import merge
from typing import Any

from . import python2
from .python2 import compare_

__all__ = [
    "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "merge", "nlargest",
    "nsmallest",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    return getattr(heapq, name)


def heappush(heap: list[Any], item: Any) -> None:
    """Add an item."""
    size = len(heap)
    try:
        heapq.heappush(heap, item)
    except TypeError:
        if len(heap) == size:
            raise
        _rise(heap, _above(heap, size, item))


def heappop(heap: list[Any]) -> Any:
    """Take the least item away."""
    ends = heap[:1] + heap[-1:]
    try:
        return heapq.heappop(heap)
    except TypeError:
        least, last = ends
        _settle(heap, last)
        return least


def heapreplace(heap: list[Any], item: Any) -> Any:
    """Take the least item away, and add another."""
    least = heap[:1]
    try:
        return heapq.heapreplace(heap, item)
    except TypeError:
        _settle(heap, item)
        return least[0]


def heappushpop(heap: list[Any], item: Any) -> Any:
    """Add an item, and take the least one away."""
    return heapreplace(heap, item) if heap and compare_("Lt", heap[0], item) else item


def heapify(heap: list[Any]) -> None:
    """Make a list a heap."""
    kept = heap[:]
    try:
        heapq.heapify(heap)
    except TypeError:
        heap[:] = kept
        for place in reversed(range(len(heap) // 2)):
            _sink(heap, place, place)


def nsmallest(n: int, iterable: Iterable[Any], key: Any = None) -> list[Any]:
    """The least items, in order."""
    items = list(iterable)
    try:
        return heapq.nsmallest(n, items, key)
    except TypeError:
        return python2.sorted(items, key=key)[: max(n, 0)]


def nlargest(n: int, iterable: Iterable[Any], key: Any = None) -> list[Any]:
    """The largest items, the largest first."""
    items = list(iterable)
    try:
        return heapq.nlargest(n, items, key)
    except TypeError:
        return python2.sorted(items, key=key, reverse=True)[: max(n, 0)]


def _above(heap: list[Any], place: int, item: Any) -> int:
    while heap[place] is not item:
        place = (place - 1) // 2
    return place


def _settle(heap: list[Any], item: Any) -> None:
    """Put an item right that may be anywhere; where the same one is right already, it stays."""
    for place in reversed(range(len(heap))):
        if heap[place] is item:
            _sink(heap, place, 0)


def _rise(heap: list[Any], place: int, top: int = 0) -> None:
    """Put an item where nothing above it, up to ``top``, is larger."""
    item = heap[place]
    while place > top and compare_("Lt", item, heap[parent := (place - 1) // 2]):
        heap[place], place = heap[parent], parent
    heap[place] = item


def _sink(heap: list[Any], place: int, top: int) -> None:
    """Put an item where nothing below it is less, and nothing above it, up to ``top``, larger."""
    item = heap[place]
    while (child := 2 * place + 1) < len(heap):
        other = child + 1
        if other < len(heap) and not compare_("Lt", heap[child], heap[other]):
            child = other
        heap[place], place = heap[child], child
    heap[place] = item
    _rise(heap, place, top)
