"""The modules and the agent of an upload, and the messages to its student."""

import marshal
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from grader.interfaces.ensta_python.firebox_ensta.sources import compile_submission

AGENT = "import hanabi\n\nclass {name}({base}):\n    def play(self):\n        return 'd1'\n"


COURSE = AGENT.format(name="AI", base="object") + AGENT.format(name="Cheater", base="AI")
"""The course's own file ``ai.py``."""


EITHER = "try:\n    import none\nexcept ImportError:\n    from hanabi.ai import AI as Base\n"
ALONE = (
    "class Robot:\n    def __init__(self, game): self.game = game\n"
    "    def play(self): return 'd1'\n"
    "class Simulation:\n    def __init__(self): pass\n    def play(self): return 'd1'\n"
)
AI = "class AI:\n    def __init__(self, game): pass\n    def play(self): raise ValueError\n"


def agent(name: str = "Robot", base: str = "hanabi.ai.AI") -> str:
    return AGENT.format(name=name, base=base)


def submit(directory: Path, files: dict[str, str]) -> tuple[list[Any], Any]:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    messages, code = compile_submission(str(directory))
    return messages, marshal.loads(code) if code else None  # noqa: S302 - just compiled


def entry(directory: Path, files: dict[str, str]) -> tuple[str, str]:
    _, artefact = submit(directory, files)
    assert artefact is not None
    found: tuple[str, str] = artefact["entry"]
    return found


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"robot.py": agent()}, ("hanabi.robot", "Robot")),
        ({"robot.py": agent(base="AI")}, ("hanabi.robot", "Robot")),
        ({"robot.py": agent(base="ai.AI")}, ("hanabi.robot", "Robot")),
        ({"agent.py": agent()}, ("hanabi.agent", "Robot")),
        ({"robot.py": "from hanabi.ai import AI as Base\n" + agent(base="Base")},
         ("hanabi.robot", "Robot")),
        ({"__MACOSX/hanabi/deck.py": "", "robot.py": agent()}, ("hanabi.robot", "Robot")),
        ({"my project/robot.py": agent()}, ("hanabi.robot", "Robot")),
        ({"my project/3rd robot.PY": agent()}, ("hanabi.3rd robot", "Robot")),
        ({"repo/hanabi/ai.py": agent("AI", "object"), "repo/bot.py": agent()}, ("bot", "Robot")),
        ({"hanabi/hanabi/deck.py": "", "hanabi/bot.py": agent()}, ("bot", "Robot")),
        ({"hanabi/ai.py": agent("AI", "object") + agent("Mine", "AI")}, ("hanabi.ai", "Mine")),
        ({"ai.py": agent("AI", "object") + agent("Mine", "AI")}, ("hanabi.ai", "Mine")),
        ({"ai.py": agent("Cheater", "AI"), "bot.py": agent()}, ("hanabi.bot", "Robot")),
        ({"src/hanabi/ai.py": COURSE, "src/hanabi/deck.py": "", "src/setup.py": "",
          "test/robot.py": agent(), "test/test_robot.py": agent("Fake"), "setup.py": ""},
         ("robot", "Robot")),
        ({"hanabi/src/hanabi/ai.py": COURSE, "hanabi/test/own/robot.py": agent()},
         ("own.robot", "Robot")),
        ({"src/hanabi/ai.py": COURSE + agent("Mine", "AI"), "test/play.py": "import hanabi"},
         ("hanabi.ai", "Mine")),
        ({"src/hanabi/ai.py": COURSE, "src/hanabi/robot.py": agent(), "src/setup.py": "",
          "src/build/lib/hanabi/ai.py": COURSE, "src/build/lib/hanabi/robot.py": agent()},
         ("hanabi.robot", "Robot")),
        ({"robot.py": agent(), "test_robot.py": agent("Fake")}, ("hanabi.robot", "Robot")),
        ({"robot.py": agent("Base") + agent("Mine", "Base")}, ("hanabi.robot", "Mine")),
        ({"base.py": agent("Base"), "robot.py": agent("Mine", "base.Base")},
         ("hanabi.robot", "Mine")),
        ({"a.py": agent("A"), "b.py": agent("B"), "agent.py": "from b import B as Agent\n"},
         ("hanabi.agent", "Agent")),
        ({"a.py": agent("A"), "b.py": agent("B"), "agent.py": "import a\nAgent = a.A\n"},
         ("hanabi.agent", "Agent")),
        ({"robot.py": "import hanabi\nBase = hanabi.ai.AI\n" + agent(base="Base")},
         ("hanabi.robot", "Robot")),
        ({"robot.py": EITHER + agent(base="Base")}, ("hanabi.robot", "Robot")),
        ({"robot.py": "if True:\n" + indent(agent(), "    ")}, ("hanabi.robot", "Robot")),
        ({"robot.py": ALONE}, ("hanabi.robot", "Robot")),
        ({"src/hanabi/ai.py": COURSE, "test/robot.py": ALONE}, ("robot", "Robot")),
        ({"robot.py": agent("Mine"), "other.py": ALONE}, ("hanabi.robot", "Mine")),
        ({"robot.py": agent("Player", "AI") + agent("Better", "Player") + "Player = Better\n"},
         ("hanabi.robot", "Better")),
        ({"robot.py": "Base = hanabi.ai.AI\n" + agent("Player", "Base")
          + agent("Better", "Player") + "Player = Better\n"}, ("hanabi.robot", "Better")),
        ({"robot.py": "import hanabi\nAI = hanabi.ai\n" + agent(base="AI.AI")},
         ("hanabi.robot", "Robot")),
        ({"robot.py": agent() + "try:\n" + indent(agent("Other"), "    ") + "finally: pass\n"},
         ("hanabi.robot", "Robot")),
        ({"robot.py": EITHER + agent(base="Base")
          + "if '__main__' == __name__:\n" + indent(agent("Trial"), "    ")},
         ("hanabi.robot", "Robot")),
        ({"robot.py": "if True:\n" + indent(agent(), "    ")
          + "else:\n" + indent(agent(), "    ")}, ("hanabi.robot", "Robot")),
        ({"src/hanabi/ai.py": AI + COURSE.partition("\n\n")[2], "test/robot.py": ALONE},
         ("robot", "Robot")),
    ],
)  # fmt: skip
def test_the_agent_is_found(tmp_path: Path, files: dict[str, str], found: tuple[str, str]) -> None:
    assert entry(tmp_path, files) == found


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"robot.py": agent("First") + agent("Second")}, "First in robot.py, Second in robot.py"),
        ({"src/hanabi/ai.py": COURSE + agent("First", "AI"), "test/robot.py": agent("Second")},
         "First in src/hanabi/ai.py, Second in test/robot.py"),
        ({"src/hanabi/ai.py": COURSE + agent("First", "AI") + agent("Second", "AI")},
         "First in src/hanabi/ai.py, Second in src/hanabi/ai.py"),
    ],
)  # fmt: skip
def test_several_agents_are_a_question_wherever_they_lie(
    tmp_path: Path, files: dict[str, str], named: str
) -> None:
    (message,), artefact = submit(tmp_path, files)
    assert artefact is None
    assert message["text"].startswith(f"there are several agents ({named}): say which class plays")
    assert entry(tmp_path, {"firebox.json": '{"class": "First"}'})[1] == "First"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"robot.py": agent(), "tools.py": "class Tools(AI):\n    def best(self): pass\n"},
         ("hanabi.robot", "Robot")),
        ({"moves.py": "class Moves:\n    def play(self): return 'd1'\n",
          "robot.py": "class Robot(AI, Moves):\n    pass\nclass Notes(AI):\n    pass\n"},
         ("hanabi.robot", "Robot")),
        ({"src/hanabi/ai.py": COURSE, "test/test_ai.py": agent()}, ("test_ai", "Robot")),
    ],
)  # fmt: skip
def test_a_class_without_play_is_no_agent_and_one_in_a_test_plays_only_alone(
    tmp_path: Path, files: dict[str, str], found: tuple[str, str]
) -> None:
    assert entry(tmp_path, files) == found


def test_agents_in_several_files_are_a_question_to_the_student(tmp_path: Path) -> None:
    messages, artefact = submit(tmp_path, {"a.py": agent("A"), "b.py": agent("B")})
    assert artefact is None
    (message,) = messages
    assert "there are several agents (A in a.py, B in b.py)" in message["text"]
    assert "agent.py with a line such as: from hanabi.b import B as Agent" in message["text"]


def test_the_question_is_asked_whatever_else_does_not_compile(tmp_path: Path) -> None:
    files = {"one.py": agent("One"), "two.py": agent("Two"), "draft.py": "def f(:\n"}
    messages, artefact = submit(tmp_path / "draft", files)
    assert artefact is None
    assert [told["file"] for told in messages] == ["two.py"]
    assert messages[0]["text"].startswith("there are several agents (One in one.py, Two in two.py)")
    files["draft.py"] = agent("Three") + "def f(:\n"
    messages, _ = submit(tmp_path / "agent", files)
    assert [told["file"] for told in messages] == ["two.py", "draft.py"]


def test_an_upload_without_agent_is_explained(tmp_path: Path) -> None:
    messages, artefact = submit(tmp_path, {"robot.py": "print('hello')\n"})
    assert artefact is None
    assert "write a class that inherits from hanabi.ai.AI" in messages[0]["text"]


def test_the_courses_base_class_is_no_agent(tmp_path: Path) -> None:
    messages, artefact = submit(tmp_path, {"src/hanabi/ai.py": AI, "src/hanabi/deck.py": ""})
    assert artefact is None
    assert "write a class that inherits from hanabi.ai.AI" in messages[0]["text"]


def test_an_upload_without_python_files_has_no_agent(tmp_path: Path) -> None:
    assert submit(tmp_path, {"notes/readme.txt": "", "more/readme.txt": ""})[1] is None


def test_a_compile_error_has_its_file_and_line(tmp_path: Path) -> None:
    files = {"robot.py": "import lib.broken\n" + agent(), "lib/broken.py": "x = 1\ndef f(:\n"}
    messages, artefact = submit(tmp_path, files)
    assert artefact is None
    assert [(message["file"], message["line"]) for message in messages] == [("lib/broken.py", 2)]


def test_files_beside_the_agent_are_part_of_the_package_unless_it_is_there(tmp_path: Path) -> None:
    _, flat = submit(tmp_path / "flat", {"robot.py": agent(), "lib/more.py": "", "deck.py": ""})
    assert set(flat["modules"]) == {
        "hanabi.robot", "hanabi.lib", "hanabi.lib.more", "hanabi.deck",
    }  # fmt: skip
    assert flat["aliases"]["robot"] == "hanabi.robot"
    assert flat["aliases"]["ai"] == "hanabi.ai"
    files = {"robot.py": agent(), "hanabi/deck.py": "", "hanabi/__init__.py": ""}
    _, package = submit(tmp_path / "package", files)
    assert set(package["modules"]) == {"robot", "hanabi", "hanabi.deck"}
    assert package["aliases"] == {"ai": "hanabi.ai", "deck": "hanabi.deck"}


def test_a_folder_with_files_of_the_package_has_ours_around_them(tmp_path: Path) -> None:
    _, artefact = submit(tmp_path, {"robot.py": agent(), "hanabi/deck.py": ""})
    assert set(artefact["modules"]) == {"robot", "hanabi.deck"}


def test_the_packages_own_init_may_be_at_the_top(tmp_path: Path) -> None:
    _, artefact = submit(tmp_path, {"__init__.py": "", "deck.py": "", "robot.py": agent()})
    assert artefact["modules"]["hanabi"][1:] == (True, "__init__.py")


def test_an_agent_is_found_under_the_name_of_its_own_package_too(tmp_path: Path) -> None:
    _, flat = submit(tmp_path / "flat", {"__init__.py": "", "robot.py": agent()})
    assert set(flat["modules"]) == {"hanabi.robot"}
    _, artefact = submit(tmp_path / "own", {"team/__init__.py": "", "team/robot.py": agent()})
    assert set(artefact["modules"]) == {"hanabi.team", "hanabi.robot"}
    names = {"robot", "team.robot", "hanabi.team.robot"}
    assert {name: artefact["aliases"][name] for name in names} == dict.fromkeys(
        names, "hanabi.robot"
    )


@pytest.mark.parametrize(
    ("folder", "beside", "helper"),
    [
        ("src/", "doc/notes.txt", "helper"),
        ("robots/", "README.md", "robots.helper"),
        ("robots/", "README.md", "hanabi.robots.helper"),
        ("project/robots/", "project/test/try_out.py", "robots.helper"),
    ],
)
def test_an_agent_in_a_folder_finds_the_modules_beside_it(
    tmp_path: Path, folder: str, beside: str, helper: str
) -> None:
    files = {f"{folder}robot.py": agent(), f"{folder}helper.py": "", beside: "import hanabi\n"}
    _, artefact = submit(tmp_path, files)
    assert artefact["aliases"].get(helper, helper) in artefact["modules"]


def test_the_chosen_one_of_several_agents_plays(tmp_path: Path) -> None:
    files = {"ai.py": agent("AI", "object") + agent("First", "AI") + agent("Second", "AI")}
    chosen = {**files, "firebox.json": '{"class": "First"}'}
    assert entry(tmp_path, chosen) == ("hanabi.ai", "First")


def test_a_missing_chosen_class_is_reported(tmp_path: Path) -> None:
    messages, code = submit(tmp_path, {"a.py": agent(), "firebox.json": '{"class": "Other"}'})
    assert code is None
    text = messages[0]["text"]
    assert text == "there is no class Other, which was chosen to play; there are Robot"


@pytest.mark.parametrize("text", ["", "[]", '{"class": 1}', "[" * 100_000])
def test_a_malformed_choice_of_class_is_ignored(text: str, tmp_path: Path) -> None:
    assert entry(tmp_path, {"robot.py": agent(), "firebox.json": text}) == ("hanabi.robot", "Robot")


@pytest.mark.parametrize("folder", ["", "src/hanabi/"])
def test_the_courses_own_example_does_not_play_unasked(tmp_path: Path, folder: str) -> None:
    files = {f"{folder}ai.py": COURSE, f"{folder}deck.py": ""}
    messages, artefact = submit(tmp_path, files)
    assert artefact is None
    (told,) = messages
    assert (told["file"], told["line"]) == (f"{folder}ai.py", 8)
    assert "only the course's own example, Cheater: hand in your own agent" in told["text"]
    assert entry(tmp_path, {"firebox.json": '{"class": "Cheater"}'}) == ("hanabi.ai", "Cheater")


@pytest.mark.parametrize(
    ("files", "note"),
    [
        ({"robot.py": agent(), "scratch.py": "print 'hello'\n"}, "scratch.py"),
        ({"src/hanabi/ai.py": COURSE, "src/hanabi/old.py": "def f(:\n", "src/bot.py": agent()},
         "src/hanabi/old.py"),
        ({"src/hanabi/ai.py": COURSE, "test/robot.py": agent(), "test/draft.py": "def f(:\n"},
         "test/draft.py"),
        ({"robot.py": agent(), "setup.py": "", "build/lib/hanabi/ai.py": "def f(:\n"}, "build/lib"),
        ({"robot.py": agent(), "better.py": agent("Better") + "def f(:\n"}, "better.py"),
        ({"agent.py": agent("Agent"), "robot.py": agent() + "def f(:\n"}, "robot.py"),
        ({"robot.py": agent(), "test_robot.py": agent("Test") + "def f(:\n"}, "test_robot.py"),
    ],
)  # fmt: skip
def test_files_that_nothing_uses_are_left_out_with_a_note(
    tmp_path: Path, files: dict[str, str], note: str
) -> None:
    messages, artefact = submit(tmp_path, files)
    assert artefact is not None
    assert [told["file"] for told in messages] == [note]
    assert messages[0]["text"].startswith("not used")


@pytest.mark.parametrize(
    "files",
    [
        {"robot.py": "import helper\n" + agent(), "helper.py": "def f(:\n"},
        {"robot.py": "from hanabi.helper import f\n" + agent(), "helper.py": "def f(:\n"},
        {"src/hanabi/ai.py": COURSE, "test/robot.py": "import helper\n" + agent(),
         "test/helper.py": "def f(:\n"},
        {"robot.py": agent(), "agent.py": agent("Agent") + "def f(:\n"},
        {"test_robot.py": agent(), "robot.py": agent() + "def f(:\n"},
        {"robot.py": "def f(:\n"},
    ],
)  # fmt: skip
def test_files_that_are_used_or_come_before_the_agent_must_compile(
    tmp_path: Path, files: dict[str, str]
) -> None:
    messages, artefact = submit(tmp_path, files)
    assert artefact is None
    assert [told["text"] for told in messages] == ["invalid syntax"]
