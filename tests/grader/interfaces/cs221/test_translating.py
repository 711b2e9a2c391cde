"""Python 2 is noticed, and translated so that it means the same."""

import ast
from pathlib import Path

import pytest

from grader.interfaces.cs221_python.firebox_cs221.translate import (
    looks_like_python_2,
    translated,
)
from tests.grader.interfaces.cs221.building import ACTING, built, run
from tests.grader.interfaces.cs221.table import python_2


@python_2
def test_an_error_in_python_2_is_reported_where_python_2_has_it(tmp_path: Path) -> None:
    source = "x = 1\nprint 'hello'\ndef f():\n    best = None:\n"
    _, messages = built(tmp_path, {"mine.py": source})
    assert messages[0].startswith("mine.py:4: invalid syntax, also in Python 2")
    assert "line 2 already: Missing parentheses" in messages[0]


@python_2
def test_a_translation_from_python_2_is_reported(tmp_path: Path) -> None:
    artefact, messages = built(tmp_path, {"mine.py": ACTING.format("Mine") + "print 'hello'\n"})
    assert artefact["agent"] == "Mine"
    assert messages[0].startswith("mine.py:0: This is Python 2. It was translated")
    assert list(artefact["translated"]) == ["mine.py"]


@python_2
def test_files_beside_python_2_are_python_2_too(tmp_path: Path) -> None:
    artefact, messages = built(
        tmp_path, {"a.py": ACTING.format("Mine") + "print 1\n", "b.py": "half = 7 / 2\n"}
    )
    assert sorted(artefact["translated"]) == ["a.py", "b.py"]
    (note,) = messages
    assert note.startswith("a.py:0: This is Python 2.")
    assert note.endswith(" So are b.py.")


@python_2
def test_files_that_only_python_3_reads_stay_as_they_are(tmp_path: Path) -> None:
    new = "def f(x):\n    match x:\n        case 1: return 2\n"
    artefact, _ = built(tmp_path, {"a.py": ACTING.format("Mine") + "print 1\n", "b.py": new})
    assert list(artefact["translated"]) == ["a.py"]
    assert set(artefact["modules"]) == {"a", "b"}


@python_2
def test_the_first_line_may_say_that_it_is_python_2(tmp_path: Path) -> None:
    source = "#!/usr/bin/env python2.7\n" + ACTING.format("Mine")
    artefact, _ = built(tmp_path, {"a.py": source})
    assert list(artefact["translated"]) == ["a.py"]


@pytest.mark.parametrize(
    "source",
    [
        "for i in xrange(3): pass",
        "x = {}.iteritems()",
        "x = {}.keys()[0]",
        "x = len(filter(None, []))",
        "x = map(str, [])[0]",
        "import Queue",
        "from Queue import PriorityQueue",
        "from itertools import izip, product",
        "import itertools\nfor x in itertools.imap(str, [1]): pass",
        "import sys\nbest = -sys.maxint",
        "try:\n    x = 1\nexcept StandardError: pass",
        "y = reduce(max, [1])",
        "try:\n    x = {}.iteritems()\nexcept NameError: pass",
        "try:\n    x = 1\nexcept NameError:\n    x = unicode(1)",
        "try:\n    x = xrange(1)\nexcept ValueError: pass",
        "if version:\n    x = xrange(1)",
        "def items(): pass\nx = {}.items()[0]",
        "class A:\n    def items(self): pass\nx = {}.keys()[0]",
        "x = range(2) + range(3)",
        "x = [1] + range(3)",
        "x = {}.keys() + [1]",
        "x = [1][len([1]) / 2]",
        "for i in range(len([1]) / 2): pass",
        "x = sorted([2, 1], lambda a, b: a - b)",
        "x = []\nx.sort(cmp=compare)",
        "x = []\nmap(x.append, [1])",
        "import string\nx = string.letters[0]",
        "import string as s\nx = s.join(['a'], '')",
        "from string import digits, maketrans",
        "log = file('log.txt')",
    ],
)
def test_python_2_that_reads_like_python_3_is_noticed(source: str) -> None:
    assert looks_like_python_2(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "from functools import reduce\nreduce(max, [1])",
        "xrange = range\nxrange(3)",
        "def cmp(a, b): return a < b\ncmp(1, 2)",
        "x = list({}.keys())[0]",
        "def map(x): return [x]\nmap(1)[0]",
        "x = grid.keys(3)[0]",
        "try:\n    input = raw_input\nexcept NameError: pass",
        "try:\n    text = unicode\nexcept (AttributeError, NameError):\n    text = str",
        "try:\n    range = xrange\nexcept NameError: pass",
        "try:\n    int = long\nexcept NameError: pass",
        "try:\n    import Queue as queue\nexcept ImportError:\n    import queue",
        "try:\n    from itertools import izip\nexcept ImportError:\n    izip = zip",
        "from itertools import product\nx = product([1], [2])",
        "import sys\nif sys.version_info[0] < 3:\n    range = xrange\n    keys = {}.keys()[0]",
        "import sys\nif sys.version_info >= (3,):\n    text = str\nelse:\n    text = unicode",
        "import sys\ntext = str if sys.version_info[0] > 2 else unicode",
        "class Hand:\n    def items(self): return [1]\nx = Hand().items()[0]",
        "class Hand:\n    def has_key(self, x): return x\nx = Hand().has_key(0)",
        "x = list(range(2)) + [3]",
        "def range(n): return [n]\nx = range(2) + range(3)",
        "x = 1 / 2",
        "x = {}\nx[1 // 2] = 3",
        "x = list(map(print, [1]))",
        "def map(x): print(x)\nmap(1)",
        "x = [].sort(key=len)",
        "import numpy as np\nx = np.arange(3) + np.arange(3)",
        "import string\nx = string.ascii_letters + string.digits\ny = x.upper().join([x])",
        "from string import ascii_lowercase, Template",
        "from .string import letters",
        "string = 'abc'\nx = string.upper() + string.join([string])",
    ],
)
def test_python_3_is_left_alone(source: str) -> None:
    assert not looks_like_python_2(ast.parse(source))


def test_methods_of_another_file_are_the_uploads_own(tmp_path: Path) -> None:
    hand = "class Hand:\n    def values(self): return [1]\n"
    mine = "from hand import Hand\nfirst = Hand().values()[0] / 2\n" + ACTING.format("Mine")
    artefact, messages = built(tmp_path, {"hand.py": hand, "mine.py": mine})
    assert (artefact["translated"], messages) == ({}, [])


@pytest.mark.parametrize(
    "top",
    ["# python3", "#python3", "# -*- coding: utf-8 -*-\n# Python 3", "#!/usr/bin/env python3.9"],
)
def test_a_file_may_say_that_it_is_python_3(tmp_path: Path, top: str) -> None:
    source = f"{top}\nhalf = 7 / 2\nif half < 3:\n    unicode(half)\n" + ACTING.format("Mine")
    artefact, messages = built(tmp_path, {"mine.py": source})
    assert (artefact["translated"], messages) == ({}, [])


@python_2
@pytest.mark.parametrize("top", ["# no python3", "\n\n# python3", "# python 2 or python3", "x = 3"])
def test_only_the_exact_mark_in_the_first_two_lines_makes_a_file_python_3(
    tmp_path: Path, top: str
) -> None:
    artefact, _ = built(tmp_path, {"mine.py": f"{top}\nunicode(3)\n" + ACTING.format("Mine")})
    assert list(artefact["translated"]) == ["mine.py"]


@python_2
def test_a_file_of_python_3_beside_others_stays_as_it_is(tmp_path: Path) -> None:
    files = {"a.py": ACTING.format("Mine") + "print 1\n", "b.py": "# python3\nx = 7 / 2\n"}
    assert list(built(tmp_path, files)[0]["translated"]) == ["a.py"]


def test_an_error_in_a_file_marked_as_python_3_is_reported_as_one_of_python_3(
    tmp_path: Path,
) -> None:
    artefact, messages = built(tmp_path, {"mine.py": "# python3\nprint 1\n"})
    assert artefact is None
    assert messages[0].startswith("mine.py:2: Missing parentheses")
    assert "Python 2" not in messages[0]


@python_2
@pytest.mark.parametrize(
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
@pytest.mark.parametrize(
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
@pytest.mark.parametrize(
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
