"""Python 2's scopes: variables of list comprehensions, names of classes, imports of everything."""

import dis
from pathlib import Path

import pytest

from tests.grader.interfaces.cs221.building import ACTING, built, run
from tests.grader.interfaces.cs221.table import python_2
from tests.support.every import every

pytestmark = python_2


@every(
    ("statements", "value"),
    [
        ("def f():\n    [i for i in (1, 2)]\n    global i\n    i = 7\n    return i\nx = f()", 7),
        ("[i for i in (1, 2)]\nx = i", 2),
        ("def f():\n    [i for i in (1, 2)]\n    return i\nx = f()", 2),
        ("def f(i):\n    y = [i for i in (1, 2)]\n    return y, i\nx = f(5)", ([1, 2], 2)),
        ("def f(i):\n    y = [i for i in ()]\n    return y, i\nx = f(5)", ([], 5)),
        (
            "def f(i):\n    y = [i for i in (1, 2, 3) if i < 3]\n    return y, i\nx = f(5)",
            ([1, 2], 3),
        ),
        ("[a + b for a, (b, c) in [(1, (2, 3))]]\nx = a, b, c", (1, 2, 3)),
        ("[[i * j for i in (1, 2)] for j in (3, 4)]\nx = i, j", (2, 4)),
        ("[i for j in [(1,), (2,)] for i in j]\nx = i, j", (2, (2,))),
        ("x = []\nfor i in (1, 2):\n    [i for i in (7, 8)]\n    x.append(i)", [8, 8]),
        ("def f():\n    [i for i in (1, 2)]\n    return lambda: i\nx = f()()", 2),
        ("def f():\n    [i for i in (1, 2)]\n    i += 1\n    return i\nx = f()", 3),
        ("def f():\n    global i\n    [i for i in (1, 2)]\nf()\nx = i", 2),
        ("i = 5\nlist(i for i in (1, 2)), {i for i in (1, 2)}, {i: i for i in (1, 2)}\nx = i", 5),
        ("i = 5\nmap(lambda i: i, (1, 2)), filter(lambda i: i, (1, 2))\nx = i", 5),
        ("i = 5\n[j for j in [i for i in (1, 2)]]\nx = j, i", (2, 5)),
        ("x = [1, 2]\nx = [x for x in x]", [1, 2]),
        ("class A:\n    n = [2, 3]\n    m = [i * j for i in n for j in n]\nx = A.m", [4, 6, 6, 9]),
        ("class A:\n    n = 2\n    m = [[n for j in (1,)] for i in (1, 2)]\nx = A.m", [[2], [2]]),
        ("n = 2\nclass A:\n    m = [n for i in (1, 2)]\n    n = 3\nx = A.m, A.n", ([2, 2], 3)),
        ("def f():\n    from math import *\n    return floor(e) + len('a')\nx = f()", 3.0),
        ("e = 'mine'\ndef f():\n    from math import *\n    return e\nx = f() != e", True),
        ("def f(e):\n    from math import *\n    return (lambda: floor(pi) + e)()\nx = f(1)", 4),
        ("def f():\n    from string import *\n    return letters[0] + digits[1]\nx = f()", "a1"),
        ("class A:\n    from math import *\nx = int(A.pi), 'A' in repr(A)", (3, True)),
    ],
)
def test_names_mean_what_they_meant_in_python_2(statements: str, value: object) -> None:
    assert run(f"print 1\n{statements}\n")["x"] == value


def test_an_undefined_name_fails_only_where_it_is_used() -> None:
    source = "print 1\ndef f(now):\n    from math import *\n    return absent if now else 1\n"
    function = run(source)["f"]
    assert function(now=False) == 1
    with pytest.raises(NameError):
        function(now=True)


def test_comprehensions_whose_variables_nobody_reads_stay_as_they_are() -> None:
    source = "print 1\ndef f(xs):\n    return [x for x in xs], [x for x in xs if x]\n"
    assert run(source)["f"].__code__.co_varnames == ("xs",)


PACKAGE = {
    "players/__init__.py": "",
    "players/mine.py": "import helper as h\nfrom deep.util import UTIL\nimport util\nprint UTIL\n"
    + ACTING.format("Mine"),
    "players/helper.py": "import json, mine\nfrom helper import Counter\n",
    "players/util.py": "from util import Counter\nOWN = 1\n",
    "players/deep/util.py": "import util, helper\nUTIL = 1\n",
    "main.py": "import players.mine\n",
}


def imports(files: dict[str, str | bytes], name: str, folder: Path) -> list[tuple[int, str]]:
    code = built(folder, files)[0]["modules"][name][0]
    steps = list(dis.get_instructions(code))
    found = []
    for before, step in zip(steps[:-1], steps[2:], strict=False):
        if step.opname == "IMPORT_NAME" and "firebox_cs221" not in str(step.argval):
            found.append((before.argval, step.argval))
    return found


def test_modules_of_a_package_import_those_beside_them(tmp_path: Path) -> None:
    files = dict(PACKAGE)
    assert imports(files, "players.mine", tmp_path) == [(1, ""), (1, "deep.util"), (1, "")]
    assert imports(files, "players.helper", tmp_path) == [(0, "json"), (1, ""), (0, "helper")]
    assert imports(files, "players.util", tmp_path) == [(0, "util")]


def test_a_folder_without_init_hides_nothing(tmp_path: Path) -> None:
    assert imports(dict(PACKAGE), "players.deep.util", tmp_path) == [(0, "util"), (0, "helper")]
