"""The interface ``stdio-java``: a class with ``public static void main(String[])``."""

from pathlib import Path
from typing import Final

from grader.interfaces.declaration import (
    BuildSteps,
    Family,
    Interface,
    Markers,
    adapter,
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
    adapter=adapter(
        "firebox_stdio_java.entry",
        shared("firebox_java"),
        _HERE / "firebox_stdio_java",
        _HERE / "stdio_java",
        readable=True,
        reusable=True,
    ),
    build=BuildSteps(seconds=COMPILER_SECONDS),
    allowance=JAVA_ALLOWANCE,
)
