"""The interface ``stdio-cpp``: a program with ``main`` in ``main.cpp``."""

from pathlib import Path
from typing import Final

from grader.interfaces.declaration import BuildSteps, Family, Interface, Markers, adapter, marker
from grader.interfaces.languages import COMPILER_SECONDS, CPP_RUNTIME, SAYS_READY, shared
from grader.uploads.shape import UploadShape

_HERE: Final = Path(__file__).parent

INTERFACE: Final = Interface(
    name="stdio-cpp",
    title="C++ program over standard input and output",
    family=Family.PROGRAM,
    upload=UploadShape(
        language="C++",
        suffixes=(".cpp", ".cc", ".cxx"),
        stored_as="main.cpp",
        entry="main.cpp",
    ),
    markers=Markers(required=(SAYS_READY, marker(r"\bmain[ \t]*\("))),
    runtime=CPP_RUNTIME,
    adapter=adapter(
        "firebox_stdio_cpp.entry",
        shared("firebox_native"),
        shared("firebox_cpp"),
        shared("firebox_stdio"),
        _HERE / "firebox_stdio_cpp",
        _HERE / "stdio_cpp",
    ),
    build=BuildSteps(seconds=COMPILER_SECONDS),
)
