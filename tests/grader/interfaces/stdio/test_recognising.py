"""Programs that speak the protocol are distinguished from agents of other interfaces."""

import io
import zipfile

import pytest

from grader.core.errors import UploadRejected
from grader.interfaces import INTERFACES
from grader.interfaces.recognise import recognise
from tests.grader.interfaces.stdio.programs import program
from tests.grader.interfaces.stdio.uploads import EXAMPLE
from tests.support.every import every

ALL = tuple(INTERFACES)


def zipped(files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        for name, text in files.items():
            target.writestr(name, text)
    return data.getvalue()


@pytest.mark.parametrize("interface", EXAMPLE)
def test_an_example_is_recognised_as_a_file_and_in_a_folder(interface: str) -> None:
    path = EXAMPLE[interface]
    entry = {"stdio-python": "main.py", "stdio-cpp": "main.cpp", "stdio-java": "Main.java"}
    found, sources = recognise(path.name, path.read_bytes(), ALL)
    assert (found.name, sources.files[0].name) == (interface, entry[interface])
    folder = zipped({f"my bot/{entry[interface]}": path.read_text()})
    assert recognise("bot.zip", folder, ALL)[0].name == interface


@pytest.mark.parametrize("interface", EXAMPLE)
def test_small_programs_are_recognised(interface: str) -> None:
    ((name, text),) = program(interface).items()
    assert recognise(name, text.encode(), ALL)[0].name == interface


def test_a_misspelt_method_leaves_an_agent_of_the_simulator_recognised() -> None:
    misspelt = b"from simulator import Agent\nclass Mine(Agent):\n    def getaction(self, s): ...\n"
    assert recognise("mine.py", misspelt, ALL)[0].name == "cs221-python"
    ours = b"from firebox import Agent\nimport simulator\n"
    assert recognise("mine.py", ours, ALL)[0].name == "python"


def test_a_byte_order_mark_hides_no_sign() -> None:
    agent = "from firebox import Agent\nclass Mine(Agent): ...\n".encode("utf-8-sig")
    assert recognise("mine.py", agent, ("ensta-python", "python"))[0].name == "python"


@pytest.mark.parametrize("name", ["robot.py", "agents/Robot.java"])
def test_a_source_in_utf_16_without_signs_is_refused_with_the_reason(name: str) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        target.writestr(name, "class Robot: ...".encode("utf-16"))
    with pytest.raises(UploadRejected, match=f"'{name}' has NUL characters, as UTF-16 has"):
        recognise("robot.zip", data.getvalue(), ALL)


def test_a_file_in_java_of_any_name_keeps_it() -> None:
    text = EXAMPLE["stdio-java"].read_text().replace("class Main", "class PlainWire")
    interface, sources = recognise("PlainWire.java", text.encode(), ALL)
    assert (interface.name, sources.files[0].name) == ("stdio-java", "PlainWire.java")


OTHERS = {
    "python": ("mine.py", "import firebox\nimport json, sys\nready = sys.stdin\n"),
    "uwa-java": (
        "Agent12345678.java",
        "import hanabAI.*;\nclass A { public static void main(String[] args) {} }\n",
    ),
    "gcc-cpp": ("game.zip", {"Player.h": "class Player {};\n", "main.cpp": "int main() {}\n"}),
    "ensta-python": ("robot.py", "import json, sys\nclass R(AI):\n    def play(self): ...\n"),
    "cs221-python": ("mine.py", "import json, sys\nclass Mine:\n    def getAction(self, s): ...\n"),
}


@every("interface", OTHERS)
def test_agents_of_other_interfaces_are_not_taken_for_programs(interface: str) -> None:
    name, text = OTHERS[interface]
    data = zipped(text) if isinstance(text, dict) else text.encode()
    assert recognise(name, data, ALL)[0].name == interface


def test_what_has_no_sign_or_another_interfaces_is_not_guessed_at() -> None:
    text = "import firebox\n" + EXAMPLE["stdio-python"].read_text()
    with pytest.raises(UploadRejected, match="not clear"):
        recognise("main.py", text.encode(), ALL)
    with pytest.raises(UploadRejected, match=r"Java, package hanabAI.*; Java program"):
        recognise("Mine.java", b"class Mine {}", ALL)
    assert recognise("mine.py", b"class Mine: ...", ALL)[0].name == "python"
