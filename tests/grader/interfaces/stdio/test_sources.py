"""Sources of programs over standard input and output: what is built, and what a complaint names."""

from typing import Final

import pytest

from tests.grader.interfaces.stdio.programs import program
from tests.grader.interfaces.stdio.uploads import (
    example,
    faulted,
    faults,
    opened,
    played,
    refused,
)
from tests.support.archives import archive

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]
PYTHON, CPP, JAVA = "stdio-python", "stdio-cpp", "stdio-java"
SEVERAL_FILES: Final = {
    PYTHON: {
        "bot/main.py": "from parts.wire import serve\n\nif __name__ == '__main__':\n    serve()\n",
        "bot/parts/wire.py": "def serve():\n"
        + "".join(f"    {line}\n" for line in program(PYTHON)["main.py"].splitlines()),
    },
    CPP: {
        "bot/main.cpp": '#include "parts/wire.h"\nint main() { return serve(); }\n',
        "bot/parts/wire.h": "int serve();\n",
        "bot/parts/wire.cc": '#include "wire.h"\n'
        + program(CPP)["main.cpp"].replace("int main(int argc, char** argv)", "int serve()"),
    },
    JAVA: {
        "bot/Main.java": "package bot;\npublic class Main {\n"
        "    public static void main(String[] args) throws Exception { Wire.main(args); }\n}\n",
        "bot/Wire.java": "package bot;\n" + program(JAVA)["Main.java"].replace("Main", "Wire"),
    },
}


@pytest.mark.parametrize("interface", SEVERAL_FILES)
def test_a_program_may_have_several_files(interface: str) -> None:
    assert faults(played(interface, archive(SEVERAL_FILES[interface]), 2)) == []


def test_a_program_in_python_reads_what_is_beside_it() -> None:
    top = "from pathlib import Path\nassert Path(__file__).with_name('book.txt').read_text() == '7'"
    files = program(PYTHON, top=top)
    assert faults(played(PYTHON, archive({**files, "book.txt": "7"}))) == []


@pytest.mark.parametrize(
    ("interface", "files", "place", "text"),
    [
        (PYTHON, {"main.py": "import sys\nif sys\n"}, ("main.py", 2), "expected ':'"),
        (CPP, {"main.cpp": "\nint main() { retrun 0; }\n"}, ("main.cpp", 2), "'retrun' was not"),
        (
            CPP,
            {"main.cpp": "int help();\nint main() { return help(); }\n"},
            ("main.cpp", 2),
            "undefined reference to `help()'",
        ),
        (
            CPP,
            {"main.cpp": "int a;\nint main() {}\n", "more.cpp": "\nint a = 3;\n"},
            ("more.cpp", 2),
            "multiple definition of `a'",
        ),
        (CPP, {"main.cpp": "int man() {}\n"}, ("", 0), "no function main"),
        (JAVA, {"Main.java": "class Main {\n    int turn\n}\n"}, ("Main.java", 2), "';' expected"),
    ],
)
def test_a_complaint_about_the_sources_has_its_place(
    interface: str, files: dict[str, str], place: tuple[str, int], text: str
) -> None:
    message = refused(interface, archive(files))[0]
    assert (message.file, message.line) == place, message
    assert text in message.text


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"Bot.java": "class Bot { void main() {} }"}, "there is no program: write a class Main"),
        (
            {f"{name}.java": f"class {name} {{ public static void main(String[] a) {{}} }}"
             for name in ("One", "Two")},
            "there are several programs, One, Two",
        ),
    ],
)  # fmt: skip
def test_a_program_in_java_has_one_beginning(files: dict[str, str], reason: str) -> None:
    (message,) = refused(JAVA, archive(files))
    assert message.text.startswith(reason)


def test_the_program_in_java_that_the_upload_names_is_run() -> None:
    body = "public static void main(String[] a) { System.exit(%d); }"
    files = {f"{name}.java": f"class {name} {{ {body % status} }}"
             for name, status in (("One", 5), ("Two", 6))}  # fmt: skip
    fault, _ = faulted(JAVA, archive({**files, "firebox.json": '{"class": "Two"}'}))
    assert "exit status 6" in fault.detail


def test_the_json_libraries_are_there() -> None:
    for interface in (CPP, JAVA):
        with opened(interface, example(interface)) as batch:
            assert batch.playable


SCRATCH: Final = {
    "does not compile": ("scratch.cpp", "int broken(\n", "expected"),
    "has a main of its own": (
        "tests/check.cpp",
        "int main() { return 3; }\n",
        "multiple definition",
    ),
}


@pytest.mark.parametrize("what", SCRATCH)
def test_a_file_in_cpp_that_the_program_does_not_need_is_left_out(what: str) -> None:
    name, text, why = SCRATCH[what]
    helper = {"helper.h": "int seven();\n", "helper.cpp": "int seven() { return 7; }\n"}
    main = '#include "helper.h"\nstatic int number = seven();\n' + program(CPP)["main.cpp"]
    with opened(CPP, archive({"main.cpp": main, name: text, **helper})) as batch:
        assert batch.playable, batch.builds
        (note,) = batch.builds[0].messages
        assert faults(list(batch.games())) == []
    assert note.file == name
    assert note.text.startswith("not used: the program does not need it; ")
    assert why in note.text


@pytest.mark.parametrize(
    ("interface", "name", "text"),
    [
        (PYTHON, "scratch.py", "def f(:\n"),
        (PYTHON, "parts/old.py", "print 'hello'\n"),
        (JAVA, "Scratch.java", "class Scratch {\n    int turn\n}\n"),
    ],
)
def test_a_file_that_the_program_does_not_need_is_left_out_with_a_note(
    interface: str, name: str, text: str
) -> None:
    with opened(interface, archive({**program(interface), name: text})) as batch:
        assert batch.playable, batch.builds
        (note,) = batch.builds[0].messages
        assert faults(list(batch.games())) == []
    assert note.file == name
    assert note.text.startswith("not used")


def test_a_file_in_cpp_that_the_program_needs_is_not_left_out() -> None:
    main = f"int seven();\nstatic int number = seven();\n{program(CPP)['main.cpp']}"
    complaints = refused(CPP, archive({"main.cpp": main, "helper.cpp": "int seven() { 7 }\n"}))
    assert (complaints[0].file, complaints[0].line) == ("helper.cpp", 1)


def test_all_files_that_do_not_compile_are_reported() -> None:
    files = {"main.cpp": "int main() { return here; }", "more.cpp": "int more() { return there; }"}
    assert [message.file for message in refused(CPP, archive(files))] == ["main.cpp", "more.cpp"]
