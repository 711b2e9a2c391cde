"""The standard library of a sandbox: what agents can import, and what is left out."""

import json
import sys
from pathlib import Path

import pytest

from tests.sandbox.stage import container_sandbox

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

LIBRARY = (
    "statistics", "decimal", "_decimal", "lzma", "ctypes", "hashlib", "encodings.idna",
    "importlib.resources",
)  # fmt: skip
UNFURNISHED = frozenset({
    "_codecs_cn", "_codecs_hk", "_codecs_iso2022", "_codecs_jp", "_codecs_kr", "_codecs_tw",
    "_crypt", "crypt", "_curses", "_curses_panel", "_dbm", "_hashlib", "_lsprof", "_multibytecodec",
    "_sqlite3", "_ssl", "_xxsubinterpreters", "_xxtestfuzz", "audioop", "nis", "ossaudiodev",
    "readline",
})  # fmt: skip
"""Extension modules that a program without files and network cannot use: no sandbox has them."""
OF_OTHER_SYSTEMS = frozenset({
    "_gdbm", "_msi", "_overlapped", "_scproxy", "_tkinter", "_winapi", "msilib", "msvcrt", "nt",
    "winreg", "winsound",
})  # fmt: skip
OF_NO_USE = frozenset({
    "antigravity", "ensurepip", "idlelib", "pydoc_data", "this", "tkinter", "turtle", "turtledemo",
})  # fmt: skip
"""They are left out of the sandbox, or do more than is wanted when they are imported."""


def test_the_standard_library_can_be_imported(tmp_path: Path) -> None:
    answers = {}
    with container_sandbox("library", tmp_path) as opened:
        for module in LIBRARY:
            process = opened.sandbox.start_process()
            answers[module] = process.ask(f"{module}\n".encode(), start=True)
            process.finish(b"")
    wrong = {
        module: answer
        for module, answer in answers.items()
        if not isinstance(answer, bytes) or not answer.startswith(b"/usr/lib/python3")
    }
    assert wrong == {}


def test_agents_can_import_every_module_but_those_left_out(tmp_path: Path) -> None:
    """Whatever the supervisor happens to have imported before it entered its own root."""
    with container_sandbox("whole_library", tmp_path, memory_mib=512) as opened:
        process = opened.sandbox.start_process()
        names = " ".join(sorted(sys.stdlib_module_names - OF_NO_USE))
        answer = process.ask(f"{names}\n".encode(), start=True)
        process.finish(b"")
    assert isinstance(answer, bytes), answer
    missing = {
        name: cause
        for name, cause in json.loads(answer).items()
        if not {name, cause} & (UNFURNISHED | OF_OTHER_SYSTEMS)
    }
    assert missing == {}
