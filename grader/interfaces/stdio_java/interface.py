"""The interface ``stdio-java``: a class with ``public static void main(String[])``."""

from pathlib import Path
from typing import Final

from grader.interfaces.declaration import (
    Adapter,
    BuildSteps,
    Family,
    Interface,
    Markers,
    marker,
)
from grader.interfaces.languages import (
    COMPILER_SECONDS,
    JAVA_ALLOWANCE,
    JAVA_RUNTIME,
    JAVA_UPLOAD,
    SAYS_READY,
    shared,
)

_HERE: Final = Path(__file__).parent

INTERFACE: Final = Interface(
    name="stdio-java",
    title="Java program over standard input and output",
    family=Family.PROGRAM,
    upload=JAVA_UPLOAD,
    markers=Markers(required=(SAYS_READY, marker(r"\bvoid[ \t]+main[ \t]*\("))),
    runtime=JAVA_RUNTIME,
    adapter=Adapter(
        paths=(shared("firebox_java"), _HERE / "firebox_stdio_java", _HERE / "stdio_java"),
        play="firebox_stdio_java.entry:play",
        build="firebox_stdio_java.entry:build",
        preload=("firebox_stdio_java.entry",),
        readable=True,
        reusable=True,
    ),
    build=BuildSteps(seconds=COMPILER_SECONDS),
    allowance=JAVA_ALLOWANCE,
)
