"""Sources are found, checked and compiled, and never run."""

import json
import marshal
import os
from pathlib import Path
from typing import Any

import pytest

from firebox.adapter import check_sources, compile_sources, main_compile, resolve_root
from tests.grader.interfaces.python.transcripts import write_agent


def only_message(directory: Path) -> tuple[str, int, int]:
    (message,) = check_sources(directory)
    assert message["text"]
    return message["file"], message["line"], message["column"]


def through_a_pipe(directory: Path) -> tuple[dict[str, Any], bytes]:
    receiving, sending = os.pipe()
    main_compile(directory, sending)
    os.close(sending)
    with os.fdopen(receiving, "rb") as pipe:
        return json.loads(pipe.readline()), pipe.read()


def test_checking_runs_nothing(tmp_path: Path) -> None:
    write_agent(tmp_path, "raise SystemExit('it ran')\n", other="1 / 0\n")
    assert check_sources(tmp_path) == []
    compile_sources(tmp_path)


def test_a_syntax_error_is_reported_with_line_and_column(tmp_path: Path) -> None:
    write_agent(tmp_path, "x = 1\nif x\n    pass\n")
    assert check_sources(tmp_path) == [
        {"file": "agent.py", "line": 2, "column": 5, "text": "expected ':'"}
    ]


def test_every_broken_file_is_reported_and_no_warning(tmp_path: Path) -> None:
    write_agent(tmp_path, "def f(:\n", helper="  x = 1\n", fine="x = 1\n")
    assert [message["file"] for message in check_sources(tmp_path)] == ["agent.py", "helper.py"]
    write_agent(tmp_path, "x = 1 is 1\ny = '\\d'\n")
    assert check_sources(tmp_path) == []


@pytest.mark.parametrize(
    "imports",
    [
        "import broken.part",
        "from broken import part",
        "from broken.part import *",
        "import between",
        "def later():\n    class Inner:\n        from .broken import part",
    ],
)
def test_a_broken_file_that_is_imported_is_reported(tmp_path: Path, imports: str) -> None:
    write_agent(tmp_path, f"{imports}\n", between="from broken import part\n")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "part.py").write_text("def f(:\n")
    assert only_message(tmp_path) == ("broken/part.py", 1, 7)


def test_a_broken_file_that_nothing_imports_is_left_out_with_a_note(tmp_path: Path) -> None:
    write_agent(tmp_path, "import helper\n", helper="", scratch="print 'hello'\n")
    assert check_sources(tmp_path) == []
    told, code = through_a_pipe(tmp_path)
    where = {"file": "scratch.py", "line": 1, "column": 1}
    text = "not used, for the agent imports nothing from this file: Missing parentheses in call"
    (note,) = told["messages"]
    assert told["ok"]
    assert note == {**where, "text": note["text"]}
    assert note["text"].startswith(text)
    assert set(marshal.loads(code)) == {"agent", "helper"}  # noqa: S302 - our own bytes


@pytest.mark.parametrize(
    "source",
    [
        b"x = '\0'\n",
        b"x = '\xff\xfe'\n",
        b"# coding: no-such-encoding\n",
        b"x = " + b"(" * 10_000 + b")" * 10_000 + b"\n",
        b"x = " + b"-" * 100_000 + b"1\n",
        b"x = " + b"9" * 10_000 + b"\n",
    ],
    ids=["null byte", "not utf-8", "unknown encoding", "brackets", "operators", "digits"],
)
def test_sources_that_upset_the_parser_are_reported(tmp_path: Path, source: bytes) -> None:
    (tmp_path / "agent.py").write_bytes(source)
    assert only_message(tmp_path)[0] == "agent.py"


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_source_of_wide_characters_is_reported_with_what_to_do(
    tmp_path: Path, coding: str
) -> None:
    (tmp_path / "agent.py").write_text("x = 1\n", coding)
    (message,) = check_sources(tmp_path)
    assert message["text"].startswith("there are null bytes in it, as in UTF-16")


def test_the_root_may_be_a_single_folder_and_messages_name_it(tmp_path: Path) -> None:
    write_agent(tmp_path / "team", "def f(:\n")
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / ".DS_Store").touch()
    assert resolve_root(tmp_path) == tmp_path / "team"
    assert only_message(tmp_path)[0] == "team/agent.py"


def test_without_an_agent_the_student_is_told_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "player.py").touch()
    (message,) = check_sources(tmp_path)
    assert "there is no agent.py at the top of the submission" in message["text"]
    with pytest.raises(FileNotFoundError, match=r"agent\.py"):
        compile_sources(tmp_path)


def test_an_upload_with_two_agents_is_refused(tmp_path: Path) -> None:
    write_agent(tmp_path / "a", "")
    write_agent(tmp_path / "b", "")
    (message,) = check_sources(tmp_path)
    assert "several agents (a/agent.py, b/agent.py)" in message["text"]


def test_compiled_modules_have_dotted_names_and_relative_files(tmp_path: Path) -> None:
    write_agent(tmp_path / "team", "", helper="")
    for name in ("pack/__init__.py", "pack/one.py", "plain/two.py", "__pycache__/x.py"):
        file = tmp_path / "team" / name
        file.parent.mkdir(exist_ok=True)
        file.touch()
    modules = marshal.loads(compile_sources(tmp_path))  # noqa: S302 - our own bytes
    assert {name: (package, file) for name, (_, package, file) in modules.items()} == {
        "agent": (False, "team/agent.py"),
        "helper": (False, "team/helper.py"),
        "pack": (True, "team/pack/__init__.py"),
        "pack.one": (False, "team/pack/one.py"),
        "plain": (True, "team/plain/__init__.py"),
        "plain.two": (False, "team/plain/two.py"),
    }


def test_a_compiling_process_sends_a_report_and_the_code_if_there_are_no_complaints(
    tmp_path: Path,
) -> None:
    write_agent(tmp_path, "x = 1\n")
    report, code = through_a_pipe(tmp_path)
    assert report == {"ok": True, "messages": [], "bytes": len(code)}
    assert list(marshal.loads(code)) == ["agent"]  # noqa: S302 - our own bytes
    write_agent(tmp_path, "def f(:\n")
    report, code = through_a_pipe(tmp_path)
    assert report == {"ok": False, "messages": check_sources(tmp_path), "bytes": 0}
    assert code == b""
