"""Python 2 is recognised, also where Python 3 can parse it."""

import ast
from pathlib import Path

import pytest

from grader.interfaces.cs221_python.firebox_cs221.python2_detection import (
    looks_like_python_2,
    may_be_python_2,
)
from tests.grader.interfaces.cs221.building import ACTING, built
from tests.grader.interfaces.cs221.table import python_2
from tests.support.every import every


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


@every(
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
        "import sets",
        "def f():\n    from md5 import new",
    ],
)
def test_python_2_that_reads_like_python_3_is_noticed(source: str) -> None:
    assert looks_like_python_2(ast.parse(source))


@python_2
@pytest.mark.parametrize(
    "source",
    [
        "x = {1: 2}.keys() == [1]",
        "x = [] != filter(None, [0])",
        "x = sorted([2, 1]) == map(int, '12')",
        "x = range(2) == [0, 1]",
        "class A:\n    def __nonzero__(self): return False",
        "class A:\n    def __cmp__(self, other): return 0",
        "def f(): return [last for last in (1, 2)] + [last]",
    ],
)
@pytest.mark.parametrize(
    ("others", "is_old"),
    [("", True), ("def f(x: int): pass\n", False), ("x = f'{1}'\n", False), ("# python3\n", False)],
)
def test_python_2_that_python_3_runs_is_noticed_where_nothing_is_python_3(
    source: str, others: str, *, is_old: bool, tmp_path: Path
) -> None:
    assert may_be_python_2(ast.parse(source))
    files = {"a.py": f"if 0:\n    {source.replace(chr(10), chr(10) + '    ')}\n", "b.py": others}
    artefact, _ = built(tmp_path, {**files, "mine.py": ACTING.format("Mine")})
    assert ("a.py" in artefact["translated"]) is is_old


@every(
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
        "x = {1: 2}.keys() == {1}",
        "x = list(map(int, '12')) == [1, 2]",
        "try:\n    set\nexcept NameError:\n    from sets import Set as set",
        "try:\n    from hashlib import md5\nexcept ImportError:\n    import md5",
        "class A:\n    def __bool__(self): return False\n    __nonzero__ = __bool__",
        "class A:\n    def __cmp__(self, other): return 0\n    def __lt__(self, other): return 1",
        "def f(last): return [last for last in (1, 2)] + [last]",
        "def f():\n    last = 1\n    return [last for last in (1, 2)] + [last]",
        "def f(): return [last for last in (1, 2)], [last for last in (3, 4)]",
        "from mine import *\ndef f(): return [last for last in (1, 2)] + [last]",
    ],
)
def test_python_3_is_left_alone(source: str) -> None:
    tree = ast.parse(source)
    assert not looks_like_python_2(tree)
    assert not may_be_python_2(tree)


def test_an_uploads_own_module_is_no_sign_of_python_2(tmp_path: Path) -> None:
    mine = "import sets\nfrom md5 import new\nx = 1 / 2\n" + ACTING.format("Mine")
    artefact, messages = built(tmp_path, {"sets.py": "", "md5/__init__.py": "", "mine.py": mine})
    assert (artefact["translated"], messages) == ({}, [])


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
