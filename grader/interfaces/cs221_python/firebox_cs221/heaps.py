"""The module ``heapq`` for translated modules: anything on a heap can be compared, as in Python 2.

Things that are equal leave a heap in the same order as there.
"""

from collections.abc import Iterable
from heapq import merge
from typing import Any

from . import python2
from .python2 import compare_

__all__ = [
    "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "merge", "nlargest",
    "nsmallest",
]  # fmt: skip


def heappush(heap: list[Any], item: Any) -> None:
    """Add an item."""
    heap.append(item)
    _rise(heap, len(heap) - 1)


def heappop(heap: list[Any]) -> Any:
    """Take the least item away."""
    last = heap.pop()
    return heapreplace(heap, last) if heap else last


def heapreplace(heap: list[Any], item: Any) -> Any:
    """Take the least item away, and add another."""
    least, heap[0] = heap[0], item
    _sink(heap, 0)
    return least


def heappushpop(heap: list[Any], item: Any) -> Any:
    """Add an item, and take the least one away."""
    return heapreplace(heap, item) if heap and compare_("Lt", heap[0], item) else item


def heapify(heap: list[Any]) -> None:
    """Make a list a heap."""
    for place in reversed(range(len(heap) // 2)):
        _sink(heap, place)


def nsmallest(n: int, iterable: Iterable[Any], key: Any = None) -> list[Any]:
    """The least items, in order."""
    return python2.sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n: int, iterable: Iterable[Any], key: Any = None) -> list[Any]:
    """The largest items, the largest first."""
    return python2.sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def _rise(heap: list[Any], place: int, top: int = 0) -> None:
    """Put an item where nothing above it, up to ``top``, is larger."""
    item = heap[place]
    while place > top and compare_("Lt", item, heap[parent := (place - 1) // 2]):
        heap[place], place = heap[parent], parent
    heap[place] = item


def _sink(heap: list[Any], top: int) -> None:
    """Put an item that is new at ``top`` where nothing below it is less."""
    item, place = heap[top], top
    while (child := 2 * place + 1) < len(heap):
        other = child + 1
        if other < len(heap) and not compare_("Lt", heap[child], heap[other]):
            child = other
        heap[place], place = heap[child], child
    heap[place] = item
    _rise(heap, place, top)
