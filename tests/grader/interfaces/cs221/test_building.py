"""An upload's agent is found, and what cannot be one is refused with the reason."""

from pathlib import Path

import pytest

from grader.interfaces.cs221_python.firebox_cs221.translate import (
    Untranslatable,
    translated,
)
from tests.grader.interfaces.cs221.building import ACTING, built, run
from tests.grader.interfaces.cs221.table import python_2


def test_the_only_class_that_acts_is_the_agent_whatever_its_name(tmp_path: Path) -> None:
    artefact, messages = built(
        tmp_path, {"mine.py": ACTING.format("Whatever") + "class Other: pass\n"}
    )
    assert (artefact["module"], artefact["agent"], messages) == ("mine", "Whatever", [])


@pytest.mark.parametrize(
    ("other", "plays"),
    [
        ({"scratch.py": "def f(:\n"}, True),
        ({"setup.py": "", "build/lib/mine.py": ACTING.format("Mine")}, True),
        ({"helper.py": "def f(:\n"}, False),
        ({"better.py": ACTING.format("Better") + "def f(:\n"}, True),
        ({"better.py": ACTING.format("Better") + "def f(:\n",
          "firebox.json": '{"class": "Mine"}'}, True),
    ],
)  # fmt: skip
def test_a_file_that_nothing_needs_is_left_out_with_a_note(
    tmp_path: Path, *, other: dict[str, str | bytes], plays: bool
) -> None:
    mine = "try:\n    import helper\nexcept ImportError:\n    pass\n" + ACTING.format("Mine")
    artefact, (told,) = built(tmp_path, {"mine.py": mine, **other})
    assert (artefact is not None) is plays
    assert (": not used" in told) is plays


def test_an_agent_in_utf_16_is_refused_with_what_to_do(tmp_path: Path) -> None:
    artefact, (told,) = built(tmp_path, {"mine.py": ACTING.format("Mine").encode("utf-16")})
    assert artefact is None
    assert "null bytes in it, as in UTF-16; have your editor save the file as UTF-8" in told


def test_building_runs_nothing(tmp_path: Path) -> None:
    artefact, _ = built(tmp_path, {"mine.py": "raise SystemExit\n" + ACTING.format("Mine")})
    assert artefact["agent"] == "Mine"


def test_a_folder_in_the_archive_is_where_modules_begin(tmp_path: Path) -> None:
    artefact, _ = built(
        tmp_path, {"work/mine.py": ACTING.format("Mine"), "work/other.py": "", "__MACOSX/x.py": "("}
    )
    assert set(artefact["modules"]) == {"mine", "other"}


@pytest.mark.parametrize(
    ("helper", "how", "mine"),
    [
        ("project/src/helper.py", "from helper import picked", "mine"),
        ("strategy/helper.py", "from strategy.helper import picked", "strategy.mine"),
        ("strategy/helper.py", "from strategy import helper", "strategy.mine"),
        ("strategy/helper.py", "from .helper import picked", "strategy.mine"),
        ("work/strategy/helper.py", "from .helper import picked", "strategy.mine"),
        ("agents/helper.py", "from agents import Agent\nimport helper", "mine"),
    ],
)
def test_a_module_beside_the_agent_is_imported_by_the_name_that_the_agent_uses(
    tmp_path: Path, helper: str, how: str, mine: str
) -> None:
    folder = helper.removesuffix("helper.py")
    files = {
        helper: "picked = 0\n",
        f"{folder}mine.py": f"{how}\n{ACTING.format('Mine')}",
        "README.md": "An agent.\n",
    }
    artefact, _ = built(tmp_path, files)
    assert artefact["module"] == mine
    assert mine.replace("mine", "helper") in artefact["modules"]


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("code.py", "code_"),
        ("__main__.py", "__main___"),
        ("my agent.py", "my agent"),
        ("3rd.v2.PY", "3rd_v2"),
    ],
)
def test_a_file_of_any_name_can_be_the_agent(tmp_path: Path, file: str, module: str) -> None:
    artefact, _ = built(tmp_path, {file: ACTING.format("Mine")})
    assert artefact["module"] == module
    assert artefact["modules"][module][2] == file


def test_a_base_class_of_another_file_is_no_agent(tmp_path: Path) -> None:
    derived = "import base\nclass Mine(base.Base):\n    pass\n"
    artefact, _ = built(tmp_path, {"base.py": ACTING.format("Base"), "mine.py": derived})
    assert (artefact["module"], artefact["agent"]) == ("mine", "Mine")


def test_an_upload_with_two_agents_is_refused_with_advice(tmp_path: Path) -> None:
    artefact, messages = built(
        tmp_path, {"a.py": ACTING.format("First"), "b.py": ACTING.format("Second")}
    )
    assert artefact is None
    assert "2 classes" in messages[0]
    assert "First in a.py, Second in b.py" in messages[0]
    assert '--class NAME, or the field "Class that plays"' in messages[0]
    assert "take the others out" in messages[0]


def test_the_question_is_asked_whatever_else_does_not_compile(tmp_path: Path) -> None:
    agents = {"a.py": ACTING.format("First"), "b.py": ACTING.format("Second")}
    _, messages = built(tmp_path / "draft", {**agents, "draft.py": "def f(:\n"})
    (message,) = messages
    assert "There are 2 classes" in message
    agents["c.py"] = ACTING.format("Third") + "def f(:\n"
    _, messages = built(tmp_path / "agent", agents)
    assert len(messages) == 2
    assert messages[1].startswith("c.py:")


@pytest.mark.parametrize("files", [{"a.py": "class Agent:\n    pass\n"}, {"README.txt": "hello"}])
def test_an_upload_without_an_agent_is_refused_with_advice(
    tmp_path: Path, files: dict[str, str | bytes]
) -> None:
    artefact, messages = built(tmp_path, files)
    assert artefact is None
    assert "No class has a method getAction(self, gameState)" in messages[0]


@python_2
def test_a_file_in_neither_python_is_refused_with_its_line(tmp_path: Path) -> None:
    artefact, messages = built(tmp_path, {"mine.py": "x = 1\nclass class:\n"})
    assert artefact is None
    assert messages[0].startswith("mine.py:2: ")
    assert "nor is it Python 2" in messages[0]


@python_2
@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("print 1\nx = '''open\n", "mine.py:2: "),
        ("print 1\nif x:\n    y\n  z\n", "mine.py:4: "),
        ("x = (1\ny = 2\nprint(x)\n", "mine.py:1: "),  # Python 3, with a bracket left open
    ],
)
def test_the_more_helpful_of_two_errors_is_reported(
    tmp_path: Path, source: str, place: str
) -> None:
    assert built(tmp_path, {"mine.py": source})[1][0].startswith(place)


@python_2
@pytest.mark.parametrize("wrong", ["class class:\n", "class Other:\n    def getAction(self): 1\n"])
def test_why_an_upload_is_rejected_comes_before_all_notes(tmp_path: Path, wrong: str) -> None:
    agent = ACTING.format("Mine") + "import b\nprint 1\n"
    files = {"a.py": agent, "b.py": wrong, "c.py": "print 3\n"}
    artefact, messages = built(tmp_path, files)
    assert artefact is None
    assert ["This is Python 2" in each for each in messages] == [False, True]


@python_2
def test_sources_in_latin_1_and_with_carriage_returns_are_read() -> None:
    source = b"# -*- coding: latin-1 -*-\r\nprint 1\r\nx = u'\xe9'\r\n"
    assert run(source)["x"] == "é"


@python_2
def test_long_sums_are_refused_and_break_nothing(tmp_path: Path) -> None:
    source = ACTING.format("Mine") + "print 1\nx = " + " + ".join(["1"] * 3000) + "\n"
    artefact, messages = built(tmp_path, {"mine.py": source})
    assert artefact is None
    assert "nested too deeply to be translated from Python 2" in messages[0]


@python_2
@pytest.mark.slow
def test_deep_nesting_is_refused() -> None:
    deep = b"print 1\nx = " + b"(" * 5000 + b")" * 5000 + b"\n"
    with pytest.raises(Untranslatable):
        translated(deep)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (ACTING.format("First") + ACTING.format("Second"), "First"),
        (ACTING.format("Base") + "class Derived(Base):\n    pass\n", "Base"),
    ],
)
def test_the_chosen_one_of_several_agents_plays(tmp_path: Path, source: str, name: str) -> None:
    choice = f'{{"class": "{name}"}}'
    artefact, messages = built(tmp_path, {"a.py": source, "firebox.json": choice})
    assert (artefact["agent"], messages) == (name, [])


def test_a_chosen_class_that_cannot_act_is_reported(tmp_path: Path) -> None:
    files = {"a.py": ACTING.format("First"), "firebox.json": '{"class": "Other"}'}
    artefact, messages = built(tmp_path, files)
    assert artefact is None
    assert "There is no class Other with a method getAction" in messages[0]
