"""The interfaces ``lines-…``: programs that speak the lines which a game declares.

The grader puts the referee's messages into lines (``grader.core.line_wire``).
"""

from dataclasses import replace
from typing import Final

from grader.interfaces.declaration import Family, Interface, KnownRules, Markers, marker
from grader.interfaces.stdio_cpp.interface import INTERFACE as CPP
from grader.interfaces.stdio_java.interface import INTERFACE as JAVA
from grader.interfaces.stdio_python.interface import INTERFACE as PYTHON


def _with_lines(name: str, program: Interface, sign: str) -> Interface:
    return replace(
        program,
        name=name,
        title=f"{program.upload.language} program with the game’s own lines",
        family=Family.LINES,
        markers=Markers(weak=marker(sign)),
        rules=KnownRules(lines=True),
        # A virtual machine is reused after a message of the wire protocol, which does not come.
        adapter=replace(program.adapter, reusable=False),
        greets=program.needs_sandbox,  # a virtual machine reads the first line by itself
        shared_folder="lines",
    )


INTERFACES: Final = (
    _with_lines("lines-cpp", CPP, r"\bmain[ \t]*\("),
    _with_lines("lines-java", JAVA, r"\bvoid[ \t]+main[ \t]*\("),
    _with_lines("lines-python", PYTHON, r"\bstdin\b|\binput[ \t]*\("),
)
