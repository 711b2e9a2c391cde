"""Python 2 is translated so that it means the same."""

import pytest

from grader.interfaces.cs221_python.firebox_cs221.translate import translated
from tests.grader.interfaces.cs221.building import run
from tests.grader.interfaces.cs221.table import python_2
from tests.support.every import every


@python_2
@every(
    ("expression", "value"),
    [
        ("7 / 2", 3),
        ("-7 / 2", -4),
        ("7 / 2.0", 3.5),
        ("True / 2", 0),
        ("(1 + 2) / 2 * 2", 2),
        ("range(3) + [3]", [0, 1, 2, 3]),
        ("map(str, [1]) + ['2']", ["1", "2"]),
        ("zip([1], [2])[0]", (1, 2)),
        ("filter(None, [0, 1])", [1]),
        ("{1: 2}.keys() + [3]", [1, 3]),
        ("{1: 2}.has_key(1)", True),
        ("sorted([1, 3, 2], cmp=lambda a, b: cmp(b, a))", [3, 2, 1]),
        ("sorted([1, 3, 2], lambda a, b: b - a)", [3, 2, 1]),
        ("reduce(lambda a, b: a * b, [1, 2, 3])", 6),
        ("isinstance(5L, (int, long))", True),
        ("`5` + u'x'", "5x"),
        ("1 <> 2", True),
        ("0777", 511),
        ("None < 0", True),
        ("None >= 0", False),
        ("(None, 2) < (0, 1)", True),
        ("[1, None] > [1]", True),
        ("0 < 'a'", True),
        ("sorted([3, None, (1, None), (1, 2), 'a'])", [None, 3, "a", (1, None), (1, 2)]),
        ("sorted([3, None], reverse=True)", [3, None]),
        ("max([(None, 1), (0, None)])", (0, None)),
        ("min(None, 3, key=lambda n: n)", None),
        ("cmp(2, 1), cmp(None, None)", (1, 0)),
        ("1 < 2 < 3", True),
        ("None < 0 <= 'a' < (1,)", True),
        ("0 <= None < 5", False),
        ("[1 < n == 2 < 'b' for n in (1, 2)]", [False, True]),
        ("coerce(1, 2.0)", (1.0, 2.0)),
        ("map(None, [1, 2], [3])", [(1, 3), (2, None)]),
        ("round(2.5), round(-2.5), round(7 / 2)", (3.0, -3.0, 3.0)),
        ("round(-0.5), round(0.125, 2), round(25, -1)", (-1.0, 0.13, 30.0)),
        ("round(2.675, 2), round(1e300), round(float('inf'))", (2.67, 1e300, float("inf"))),
        ("filter(None, (1, 0, 2))", (1, 2)),
        ("filter(lambda c: c != 'a', 'banana')", "bnn"),
        ("filter(str.isalpha, u'a1')", "a"),
        ("map(lambda a, b: (b, a), [1, 2], [3])", [(3, 1), (None, 2)]),
        ("map(apply, [int])", [0]),
        ("hasattr('a', '__iter__'), hasattr([], '__iter__')", (False, True)),
        ("{1: 2}.keys() == [1]", True),
        ("(lambda (a, b): a + b)((1, 2))", 3),
        ("(lambda (a, b), c: a + b + c)((1, 2), 3)", 6),
        ("(lambda (a, b)=(1, 2): a - b)()", -1),
        ("(lambda c, (a, b)=(1, 2), d=(3, 4): a - b + c + d[1])(5)", 8),
        ("(lambda c, (a, (b, d)): a - b + c.real * d)(3, (2, (1, 4)))", 13),
        ("'abc'.translate(None, 'b')", "ac"),
    ],
)
def test_translated_expressions_mean_the_same(expression: str, value: object) -> None:
    found = run(f"x = {expression}\nprint x\n")["x"]
    assert found == value
    assert type(found) is type(value)


@python_2
def test_division_in_place_is_of_whole_numbers_too() -> None:
    assert run("print 1\nx = [9]\nx[0] /= 2\ny = 9\ny /= 2.0\n")["x"] == [4]


@python_2
def test_true_division_is_kept_where_it_was_asked_for() -> None:
    source = '"""Text."""\nfrom __future__ import division\nprint 1\nx = 7 / 2\n'
    assert run(source)["x"] == 3.5


@python_2
def test_old_classes_may_define_how_they_are_divided() -> None:
    source = "print 1\nclass A:\n    def __div__(self, n):\n        return n\nx = A() / 4\n"
    assert run(source)["x"] == 4


@python_2
@every(
    ("statement", "value"),
    [
        ("x.sort()", [None, 1, 3]),
        ("x.sort(reverse=True)", [3, 1, None]),
        ("x.sort(lambda a, b: cmp(b, a))", [3, 1, None]),
        ("x.sort(None, lambda n: n or 0)", [None, 1, 3]),
        ("x = sorted(x)", [None, 1, 3]),
        ("x = sorted(x, cmp=lambda a, b: cmp(b, a), key=lambda n: n or 9)", [None, 3, 1]),
    ],
)
def test_lists_of_anything_are_sorted_in_place(statement: str, value: object) -> None:
    assert run(f"print 1\nx = [3, None, 1]\n{statement}\n")["x"] == value


@python_2
def test_objects_with_a_sort_method_of_their_own_are_left_alone() -> None:
    source = "print 1\nclass A:\n    def sort(self): self.done = 1\nx = A()\nx.sort()\n"
    assert run(source)["x"].done


@python_2
def test_classes_are_compared_as_they_say() -> None:
    source = (
        "print 1\nclass A:\n    def __init__(self, n): self.n = n\n"
        "    def __cmp__(self, other): return cmp(self.n, other.n)\n"
        "x = [A(2), A(1)]\nx.sort()\n"
        "x = x[0].n, A(1) == A(1), A(1) != A(1), A(1) < A(2), max(A(1), A(2)).n, len({A(1): 2})\n"
    )
    assert run(source)["x"] == (1, True, False, True, 2, 1)


@python_2
def test_equal_things_may_have_a_hash_of_their_own() -> None:
    source = "print 1\nclass A:\n    def __eq__(self, other): return True\nx = len(set([A()]))\n"
    assert run(source)["x"] == 1


@python_2
@pytest.mark.parametrize("what", ['"X"', '"X", "Y"', '"X", "Y", None'])
def test_raising_a_string_fails_only_when_the_line_is_reached(what: str) -> None:
    space = run(f"print 1\ndef fail():\n    raise {what}\n")
    with pytest.raises(TypeError, match="exceptions must derive"):
        space["fail"]()


@python_2
@every(
    ("statements", "value"),
    [
        ("exec 'x = 3'", 3),
        ("def f(a):\n    exec 'b = a + 1'\n    return b\nx = f(2)", 3),
        ("d = {}\nexec 'y = 3' in d\nx = d['y']", 3),
        ("def f(a, (b, c), d=4): return a + b + c + d\nx = f(1, (2, 3))", 10),
        ("import sys\nprint >>sys.stderr, 'a', 1,\nx = 1", 1),
        ("import sys\nx = sys.maxint > 2 ** 30", True),
        ("from Queue import PriorityQueue\nx = PriorityQueue().qsize()", 0),
        ("from itertools import izip\nx = list(izip([1], [2]))", [(1, 2)]),
        ("import itertools\nx = list(itertools.imap(str, [1]))", ["1"]),
        ("from itertools import *\nx = imap(None, count(), [7]).next()", (0, 7)),
        ("from itertools import *\nx = ifilter(None, cycle([0, 3])).next()", 3),
        ("import math\nx = math.floor(7 / 2.0) / 2, str(math.ceil(-1.5))", (1.5, "-1.0")),
        ("import math as m\nx = m.floor(m.pi) / 2, 'abc'[m.ceil(1.5)]", (1.5, "c")),
        ("from math import floor\nx = floor(5) / 2", 2.5),
        ("from math import *\nx = floor(sqrt(10)) / 2, ceil(float('inf')) > 5", (1.5, True)),
        ("x = apply(max, (1, 2))", 2),
        ("try:\n    {}[0]\nexcept StandardError:\n    x = 1", 1),
        ("d = {2: 1, 1: 2}\nx = d.keys()\nx.sort()", [1, 2]),
        ("x = range(3)\nx.append(1)\ndel x[0]", [1, 2, 1]),
        ("x = iter([1]).next()", 1),
        ("try:\n    1 / 0\nexcept (ValueError, ZeroDivisionError), e:\n    x = len(e.args)", 1),
        ("try:\n    raise KeyError, 'k'\nexcept KeyError, e:\n    x = e.args", ("k",)),
        ("try:\n    raise KeyError, 'k'\nexcept KeyError, e:\n    x = e.message + e[0]", "kk"),
        (
            "try:\n    raise IOError, (2, 'k')\nexcept IOError, e:\n    x = e.message, e[1]",
            ("", "k"),
        ),
        ("try:\n    file('/nowhere')\nexcept IOError, e:\n    x = 1", 1),
        (
            "import heapq, sys\nx = [3, None]\nheapq.heapify(x)\nx = heapq.heappop(x), x",
            (None, [3]),
        ),
        (
            "from heapq import *\nx = []\nheappush(x, (1, {}))\nheappush(x, (1, None))",
            [(1, None), (1, {})],
        ),
        (
            "def f():\n    yield 1\n    raise StopIteration\n    yield 2\nx = list(f())",
            [1],
        ),
        (
            (
                "def f():\n    try:\n        yield 1\n        raise StopIteration\n"
                "    except StopIteration:\n        yield 2\nx = list(f())"
            ),
            [1, 2],
        ),
        (
            (
                "def f():\n    try:\n        yield 1\n        raise StopIteration\n"
                "    except (KeyError, ValueError):\n        yield 2\nx = list(f())"
            ),
            [1],
        ),
        ("try:\n    {}[0]\nexcept KeyError, e:\n    x = [e[0] for e in [(7, 8)]]", [7]),
        (
            (
                "class E(Exception):\n    def __getitem__(self, i): return 'own'\n"
                "try:\n    raise E(5)\nexcept E, e:\n    x = e[0]"
            ),
            "own",
        ),
        (
            (
                "class M:\n    message = 'own'\n"
                "try:\n    {}[0]\nexcept KeyError, e:\n    x = [e.message for e in [M()]]"
            ),
            ["own"],
        ),
        ("x = sorted({1: 4, 2: 3}.items(), lambda (a, b), (c, d): cmp(b, d))", [(2, 3), (1, 4)]),
        ("class A:\n    def __nonzero__(self): return False\nx = bool(A())", False),
        ("import string\nx = string.letters[26] + string.lowercase[1]", "Ab"),
        ("import string\nx = string.uppercase[2] + string.digits[3]", "C3"),
        ("import string as s\nx = s.join(s.split('a b')) + s.join(['c', 'd'], '-')", "a bc-d"),
        ("import string\nx = string.atoi('12', 8) + string.atof('0.5')", 10.5),
        ("import string\nx = string.zfill(7, 3) + string.capitalize('ab')", "007Ab"),
        ("import string\nx = 'hello'.translate(string.maketrans('el', 'ip'))", "hippo"),
        ("import string\nx = string.translate('hello', string.maketrans('e', 'a'), 'l')", "hao"),
        ("from string import digits, upper, letters\nx = upper(letters[:2]) + digits[0]", "AB0"),
        ("from string import *\nx = join(list(letters[:3]), '') + digits[0]", "abc0"),
        ("import string\nstring.letters = 'z'\nx = string.letters\ndel string.letters", "z"),
    ],
)
def test_translated_statements_mean_the_same(statements: str, value: object) -> None:
    assert run(f"print 'Python', 2\n{statements}\n")["x"] == value


@python_2
def test_lines_keep_their_numbers() -> None:
    source = b"import Queue\nx = reduce(max, [1])\nprint x, intern('a')\n"
    assert len(translated(source).splitlines()) == 3
