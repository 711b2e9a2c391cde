"""An agent finds the data beside its sources by relative path, as at home, in its sandbox."""

import json
from pathlib import Path
from typing import Final

import pytest

from grader.cli import main
from grader.interfaces import INTERFACES, interface_named
from grader.uploads.archive import read_upload
from tests.support.zips import zipped

PYTHON: Final = "assert open('data/weights.txt').read() == '7'\n"
CPP: Final = """#include <cstdlib>
#include <fstream>
static int weight() {
    std::ifstream file("data/weights.txt");
    int read = 0;
    if (!(file >> read) || read != 7) abort();
    return read;
}
static const int WEIGHT = weight();
"""
READS: Final = {
    "python": ("agent.py", PYTHON),
    "ensta-python": ("robot.py", PYTHON),
    "cs221-python": ("player.py", PYTHON),
    "stdio-python": ("main.py", PYTHON),
    "gcc-cpp": ("Player.h", CPP),
    "stdio-cpp": ("main.cpp", CPP),
}


def project(interface: str) -> bytes:
    """The starter kit's agent, which reads a file when it is loaded, in a folder."""
    name, reading = READS[interface]
    source = (interface_named(interface).folder / "starter" / "hanabi" / name).read_text()
    future = "from __future__ import annotations\n"
    text = source.replace(future, future + reading) if future in source else reading + source
    return zipped((f"project/{name}", text.encode()), ("project/data/weights.txt", b"7"))


@pytest.mark.parametrize("interface", READS)
def test_data_are_opened_by_relative_path(
    interface: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], docker_engine: object
) -> None:
    path = tmp_path / "agent.zip"
    path.write_bytes(project(interface))
    assert main(["play", str(path), "--interface", interface, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["record"]["fault"] is None


def test_data_that_no_agent_in_the_language_can_open_are_named() -> None:
    data = zipped(("agents/Mine.java", b"class Mine {}"), ("agents/weights.txt", b"7"))
    for name, interface in INTERFACES.items():
        if interface.upload.language == "Java":
            (note,) = read_upload("a.zip", data, interface.upload).notes
            assert note == (
                "not used: 'agents/weights.txt'; an agent in this language cannot open files"
            ), name
