"""Modules that only Python 2 had."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.interfaces.cs221_python.firebox_cs221.old_modules import NAMES, offer_old_modules
from tests.grader.interfaces.cs221.building import ACTING, built, run
from tests.grader.interfaces.cs221.table import build, play, python_2

pytestmark = [pytest.mark.slow, python_2]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The modules can be imported, and are forgotten afterwards."""
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    offer_old_modules()
    yield
    for name in NAMES:
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("import md5\nx = md5.new('a').hexdigest()", "0cc175b9c0f1b6a831c399e269772661"),
        (
            "from md5 import md5\ny = md5()\ny.update('a')\nx = len(y.digest()) == y.digest_size",
            True,
        ),
        ("import sha\nx = sha.sha('a').hexdigest()", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"),
        (
            "from sets import Set\nx = Set([1]) | Set([2]), type(Set() & Set()) is Set",
            ({1, 2}, True),
        ),
        ("from sets import Set\nx = Set([Set([1])])\nx.add(Set([2]))\nx = Set([2]) in x", True),
        ("from sets import Set\ny = Set([1])\ny.union_update([2])\nx = `y.copy()`", "Set([1, 2])"),
        ("from sets import ImmutableSet\nx = {ImmutableSet([1]): 2}.values()", [2]),
        (
            "import exceptions\nx = exceptions.StandardError, exceptions.KeyError",
            (Exception, KeyError),
        ),
        ("import new\nclass A: pass\nx = new.instance(A, {'n': 2}).n", 2),
        ("import new\nclass A: pass\nx = new.instancemethod(lambda self: 3, A(), A)()", 3),
        ("from UserDict import UserDict\ny = UserDict()\ny[1] = 2\nx = y.data.keys()", [1]),
        ("from UserList import UserList\nx = UserList([1]).data", [1]),
        ("from types import ListType\nx = isinstance([], ListType)", True),
        (
            "import types\nx = type('a') is types.StringType, type('a') in types.StringTypes",
            (True, True),
        ),
        (
            "import types\nx = types.NoneType is type(None), types.FunctionType is type(lambda: 1)",
            (True, True),
        ),
        ("from types import *\nx = type({}) is DictType", True),
        ("from future_builtins import map\nx = map(str, [1]).next()", "1"),
    ],
)
def test_modules_of_python_2_are_there(statements: str, value: object) -> None:
    assert run(f"print 1\n{statements}\n")["x"] == value


def agent(top: str, choice: str) -> dict[str, str]:
    return {
        "mine.py": f"{top}\nclass Mine:\n    def __init__(self, index): self.index = index\n"
        f"    def getAction(self, gameState):\n"
        f"        legal = gameState.getLegalActions(self.index)\n        {choice}\n"
    }


@pytest.mark.usefixtures("warm_sandboxes")
@pytest.mark.parametrize(
    "files",
    [
        agent("from sets import Set", "return list(Set(legal))[0]"),
        agent("import urlparse", "return legal[0]"),
        agent("", "[last for last in legal]; return last"),
        agent(
            "", "return [legal for legal in [legal]][0][0] if gameState.data.clue else legal[-1]"
        ),
        agent("import random, collections", "return random.sample(set(legal), 1)[0]"),
        agent(
            "class Sizes:\n    n = 2\n    all = [n for i in range(n)]\n",
            "return legal[Sizes.all[1] - 2]",
        ),
    ],
)
def test_agents_that_need_python_2_play(files: dict[str, str]) -> None:
    (result,) = play(files)
    assert result.record.fault is None, result.evidence


def test_functions_that_python_3_had_for_a_while_are_there_without_a_translation() -> None:
    files = agent("import collections, random", "return random.sample(set(legal), 1)[0]")
    files["mine.py"] += "assert isinstance([], collections.Sequence)\n"
    assert build(files).messages == ()
    (result,) = play(files)
    assert result.record.fault is None, result.evidence


def test_a_missing_module_is_still_reported_as_missing() -> None:
    report = build(agent("import scipy", "return legal[0]"))
    assert not report.ok
    assert [message.line for message in report.messages] == [1]
    assert "No module named 'scipy'" in report.messages[0].text


def test_modules_that_have_another_name_today_keep_that_of_an_upload(tmp_path: Path) -> None:
    mine = "import Queue, cPickle\nprint 1\n" + ACTING.format("Mine")
    artefact, _ = built(tmp_path, {"mine.py": mine, "Queue.py": ""})
    names = artefact["modules"]["mine"][0].co_names
    assert "Queue" in names
    assert "pickle" in names
