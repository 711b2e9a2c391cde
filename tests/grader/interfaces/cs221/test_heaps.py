"""Heaps of translated modules are the library's, of anything."""

import heapq
import random
from pathlib import Path

from grader.interfaces.cs221_python.firebox_cs221 import heaps, python2
from tests.grader.interfaces.cs221.building import ACTING, built, run
from tests.grader.interfaces.cs221.table import python_2


@python_2
def test_a_heap_of_anything_is_in_the_order_of_the_library() -> None:
    values = random.Random(1).choices(range(9), k=60)  # noqa: S311
    ours: list[int] = []
    library: list[int] = []
    for value in values:
        heaps.heappush(ours, value)
        heapq.heappush(library, value)
        assert ours == library
    assert [heaps.heappushpop(ours, n) for n in range(5)] == [
        heapq.heappushpop(library, n) for n in range(5)
    ]
    assert [heaps.heappop(ours) for _ in values] == sorted(library)
    assert heaps.nlargest(2, values) == heapq.nlargest(2, values)
    assert heaps.nsmallest(2, values) == heapq.nsmallest(2, values)


@python_2
def test_a_heap_of_what_the_library_cannot_compare_stays_a_heap() -> None:
    dice = random.Random(2)  # noqa: S311
    values = [dice.choice([None, 3, "a", 5, (1, None), (1, "b"), "c", 1.5]) for _ in range(60)]
    heap: list[object] = []
    for value in values:
        heaps.heappush(heap, value)
    assert [heaps.heapreplace(heap, values[0]), heaps.heappushpop(heap, None)] == [None, None]
    expected = python2.sorted(heap)
    assert [heaps.heappop(heap) for _ in expected] == expected
    heaps.heapify(values)
    expected = python2.sorted(values)
    assert heaps.nsmallest(9, iter(values)) == expected[:9]
    assert heaps.nlargest(9, iter(values)) == expected[::-1][:9]
    assert [heaps.heappop(values) for _ in expected] == expected


@python_2
def test_heaps_have_all_names_of_the_library() -> None:
    assert run("import heapq\nprint 1\nx = [2, 1]\nheapq._siftup(x, 0)\n")["x"] == [1, 2]
    assert heaps._siftdown is heapq._siftdown  # type: ignore[attr-defined] # as agents do


@python_2
def test_an_uploads_own_heapq_is_imported(tmp_path: Path) -> None:
    mine = "import heapq\nfrom heapq import heappush\nprint 1\n" + ACTING.format("Mine")
    artefact, _ = built(tmp_path, {"mine.py": mine, "heapq.py": "def heappush(x): pass\n"})
    code = artefact["modules"]["mine"][0]
    assert "heapq" in code.co_names
    assert not any("heaps" in name for name in code.co_names)
