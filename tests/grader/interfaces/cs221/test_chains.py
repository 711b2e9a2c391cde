"""Chains of comparisons mean the same in translated modules, wherever they are."""

from tests.grader.interfaces.cs221.building import run
from tests.grader.interfaces.cs221.table import python_2
from tests.support.every import every


@python_2
@every(
    ("statements", "value"),
    [
        (
            (
                "class A:\n    low = 1\n    held = low < abs(2) < low + 2\n"
                "    both = low < low <= 1\nx = A.held, A.both"
            ),
            (True, False),
        ),
        (
            (
                "def f():\n    x = 1 < (yield 3) < 2 < 5\n    yield x\ng = f()\n"
                "x = g.next(), g.send(0)"
            ),
            (3, False),
        ),
        ("def f(n, m=[0 < abs(k) < 3 for k in [2]]):\n    return 0 < n() < n, m\nx = 1", 1),
        ("x = [n for n in [1, 2] if None < abs(n) < 'a']", [1, 2]),
        ("x = [n for n in [0 < abs(1) < 2]]", [True]),
        ("class A:\n    x = [n for n in [0, 1] if 0 < abs(n) < 2]\nx = A.x", [1]),
    ],
)
def test_a_chain_means_the_same_in_its_scope(statements: str, value: object) -> None:
    assert run(f"print 'Python', 2\n{statements}\n")["x"] == value


@python_2
def test_a_chain_computes_no_more_values_than_it_needs() -> None:
    source = "print 1\nasked = []\ndef ask(n):\n    asked.append(n)\n    return n\n"
    assert run(f"{source}ask(2) < ask(1) < ask(3)\n")["asked"] == [2, 1]
    assert run(f"{source}0 < ask(1) < ask(3) < None < ask(4)\n")["asked"] == [1, 3]
    assert run(f"{source}x = 0 < 0 < unbound\n")["x"] is False
