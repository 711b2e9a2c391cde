"""Uploads, built."""

from pathlib import Path
from typing import Any

from grader.interfaces.cs221_python.firebox_cs221.adapting import adapted
from grader.interfaces.cs221_python.firebox_cs221.building import build_sources
from grader.interfaces.cs221_python.firebox_cs221.translate import translated

ACTING = "class {}:\n    def getAction(self, s):\n        return s\n"


def built(folder: Path, files: dict[str, str | bytes]) -> tuple[Any, list[str]]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    artefact, messages = build_sources(folder)
    return artefact, [f"{each['file']}:{each['line']}: {each['text']}" for each in messages]


def run(source: str | bytes) -> dict[str, Any]:
    raw = source if isinstance(source, bytes) else source.encode()
    space: dict[str, Any] = {"__name__": "translated"}
    exec(compile(adapted(translated(raw)), "translated", "exec"), space)  # noqa: S102
    return space
