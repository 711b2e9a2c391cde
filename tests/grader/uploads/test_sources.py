"""Sources that can't be meant: empty, in UTF-16, under another name. Refused alone as in a zip."""

import re
from codecs import BOM_UTF8
from typing import Final

import pytest

from grader.core.errors import UploadRejected
from grader.interfaces import INTERFACES, interface_named
from grader.interfaces.recognise import recognise
from grader.uploads.archive import read_upload
from tests.support.every import every
from tests.support.zips import AGENT, read, zipped

EMPTY: Final = {"empty": b"", "a mark alone": BOM_UTF8, "blank": b" \r\n\n"}
UTF_16: Final = "class Agent: ...\n".encode("utf-16")


@every("source", EMPTY.values())
@every("interface", ["python", "ensta-python", "uwa-java", "stdio-cpp"])
def test_an_empty_source_is_refused_in_a_zip_as_alone(interface: str, source: bytes) -> None:
    shape = interface_named(interface).upload
    name = shape.entry or f"Agent{shape.suffixes[0]}"
    for filename, data in ((name, source), ("a.zip", zipped((name, source)))):
        with pytest.raises(UploadRejected, match="is empty"):
            read_upload(filename, data, shape)


def test_a_source_in_utf_16_is_refused_in_a_zip_as_alone() -> None:
    for filename, data in (
        ("agent.py", UTF_16),
        ("a.zip", zipped(("agent.py", UTF_16))),
        ("b.zip", zipped(("agent.py", AGENT), ("helper.py", UTF_16))),
    ):
        with pytest.raises(UploadRejected, match="as UTF-8"):
            read_upload(filename, data)


def test_an_empty_file_of_a_package_is_kept() -> None:
    files = read(("agent.py", AGENT), ("tools/__init__.py", b""), ("data.bin", UTF_16))
    assert set(files) == {"agent.py", "tools/__init__.py", "data.bin"}


def test_a_file_that_a_compiler_made_is_named() -> None:
    sources = read_upload("a.zip", zipped(("agent.py", AGENT), ("weights.o", b"\0")))
    assert [file.name for file in sources.files] == ["agent.py"]
    (note,) = sources.notes
    assert note.startswith("not used: 'weights.o' (1 byte); ")


@pytest.mark.parametrize(
    ("filename", "interface", "better"),
    [
        ("agent.py.txt", "python", "agent.py"),
        ("robot.txt", "ensta-python", "robot.py"),
        ("Agent (1).java.txt", "uwa-java", "Agent.java"),
        ("Player.cpp.bak", "stdio-cpp", "Player.cpp"),
    ],
)
def test_a_source_under_another_name_is_told_how_to_be_named(
    filename: str, interface: str, better: str
) -> None:
    shape = interface_named(interface).upload
    for name, data in ((filename, AGENT), ("a.zip", zipped((f"project/{filename}", AGENT)))):
        with pytest.raises(UploadRejected) as caught:
            read_upload(name, data, shape)
        assert caught.value.hint == f"If {filename!r} is a source, name it {better!r}."


def test_a_copy_in_an_archive_is_told_how_to_be_named() -> None:
    data = zipped(("agents/Agent (1).java", b"class Agent {}"))
    with pytest.raises(UploadRejected, match=r"Agent \(1\)\.java.*name it 'Agent\.java'"):
        read_upload("a.zip", data, interface_named("uwa-java").upload)


@every(
    ("filename", "data", "reason"),
    [
        ("agent.py.txt", AGENT, "name it 'agent.py'"),
        ("a.zip", zipped(("p/Mine.java.txt", AGENT)), "name it 'Mine.java'"),
        ("a.zip", zipped(("agent.py", b"")), "The file 'agent.py' is empty"),
        ("a.zip", zipped(("Mine.java", UTF_16)), "The file 'Mine.java' has NUL characters"),
        ("a.zip", b"7z\xbc\xaf\x27\x1c", "but a .7z archive"),
    ],
)
def test_the_reason_is_told_whatever_interfaces_are_allowed(
    filename: str, data: bytes, reason: str
) -> None:
    with pytest.raises(UploadRejected, match=re.escape(reason)):
        recognise(filename, data, list(INTERFACES))
