"""Finds the place in an agent's own files that a fault came from, in its interface's output.

An agent's output is untrusted: the result only says what the output claims. Every pattern is of
bounded width and is matched from the start of a line, so none can be made slow.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grader.core.words import counted
from grader.interfaces import INTERFACES

_TOLD: Final = re.compile(r"^The agent(?: failed|'s time was over) during ", re.MULTILINE)
"""The line with which interfaces in Python and C++ begin their report. Text before it is the
agent's own output."""

_FORBIDDEN: Final = re.compile(
    r"^It (starts a thread|starts a process|runs a program)\.$", re.MULTILINE
)
"""The end of what agents in Python report before the sandbox ends them."""

_PYTHON: Final = re.compile(
    r'^ {2}File "(?P<file>[^"\n]{1,240})", line (?P<line>\d{1,6})(?:, in (?P<function>\S{1,80}))?$'
    r"(?:\n {4}(?P<text>\S.{0,199}))?",
    re.MULTILINE,
)
_CPP: Final = re.compile(r"^ {2}(?P<file>[^\s:\"][^:\"\n]{0,240}):(?P<line>\d{1,6})$", re.MULTILINE)

_JAVA: Final = re.compile(
    r"^\s{0,8}at (?:[^\s/()]{1,80}/{1,2}){0,2}"
    r"(?P<class>[^\s()]{1,300})\.(?P<function>[^\s().]{1,80})"
    r"\((?:[^\s():]{1,80}/)?(?P<file>[^\s():/]{1,200}\.java):(?P<line>\d{1,6})\)$"
)
_JAVA_TRACE: Final = re.compile(r"^(?:\s{0,8}at |\s{0,8}\.\.\. \d|Caused by: |\s{0,8}Suppressed: )")
_COMPILED_IN: Final = tuple(
    f"{path.name}."
    for interface in INTERFACES.values()
    for path in interface.adapter.paths
    if interface.adapter.readable
)
_NOT_OWN: Final = ("java.", "javax.", "jdk.", "sun.", "firebox.", *_COMPILED_IN)
"""Beginnings of classes that are the language's or ours."""
_DUMPED: Final = re.compile(r'^"agent" #1 ')
"""The agent's thread in the Java machine's dump of all threads after a timeout."""
_DUMP: Final = "Full thread dump "
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_LONGEST_TRACE: Final = 5000
"""Lines; the machine itself prints 1024 calls at most for each cause."""


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A line of the agent's own."""

    file: str
    line: int
    function: str
    """The function's name, or ``<module>``; empty if unknown."""
    text: str
    """Empty if unknown."""


def own_line(stderr: str) -> OwnLine | None:
    """The innermost line of the agent's own in the last explanation; ``None`` without one."""
    matches = list(_TOLD.finditer(stderr))
    return _explained(stderr[matches[-1].start() :]) if matches else _java(stderr)


def forbidden_act(stderr: str) -> str:
    """Return what an agent that may not did last: ``starts a thread``; empty if it is not told."""
    acts = _FORBIDDEN.findall(stderr)
    return str(acts[-1]) if acts else ""


def _explained(traceback: str) -> OwnLine | None:
    """Python and C++ name the innermost call last."""
    frames = list(_PYTHON.finditer(traceback)) or list(_CPP.finditer(traceback))
    if not frames:
        return None
    parts = frames[-1].groupdict(default="")
    text = parts.get("text", "").strip()
    return OwnLine(parts["file"], int(parts["line"]), parts.get("function", ""), text)


def _java(stderr: str) -> OwnLine | None:
    """Java names the innermost call first, and of an exception's causes the first one last."""
    lines = stderr.rstrip("\n").split("\n")
    trace = _thread_dump(lines) or _last_trace(lines)
    own = None
    for section in _sections(trace):
        own = next(section, None) or own
    return own


def _sections(trace: list[str]) -> Iterator[Iterator[OwnLine]]:
    starts = [at for at, line in enumerate(trace) if line.startswith("Caused by: ")]
    for low, high in zip([0, *starts], [*starts, len(trace)], strict=True):
        yield (own for line in trace[low:high] if (own := _java_frame(line)))


def _java_frame(line: str) -> OwnLine | None:
    frame = _JAVA.match(line)
    if frame is None or frame["class"].startswith(_NOT_OWN):
        return None
    return OwnLine(frame["file"], int(frame["line"]), frame["function"], "")


def _thread_dump(lines: list[str]) -> list[str]:
    dumped = [at for at, line in enumerate(lines) if _DUMPED.match(line)]
    if not dumped:
        return []
    rest = lines[dumped[-1] :]
    return rest[: rest.index("")] if "" in rest else rest


def without_other_threads(stderr: str) -> str:
    """Return the output, and of the Java machine's dump of all threads only the agent's own calls.

    The dump ends what a process prints, and is some hundred lines on threads of the machine's.
    """
    lines = stderr.split("\n")
    dumps = [at for at, line in enumerate(lines) if line.startswith(_DUMP)]
    if not dumps or not (calls := _thread_dump(lines[dumps[-1] :])):
        return stderr
    begin = dumps[-1]
    begin -= begin > 0 and _DATE.fullmatch(lines[begin - 1]) is not None
    own = [line for line in calls if _java_frame(line)] or ["\toutside of its own files"]
    head = "The agent's time was over. It was here (innermost call first):"
    return "\n".join([*lines[:begin], head, *own, ""])


def _last_trace(lines: list[str]) -> list[str]:
    end = begin = len(lines) - 1
    while begin > 0 and end - begin < _LONGEST_TRACE and _JAVA_TRACE.match(lines[begin - 1]):
        begin -= 1
    return lines[begin:end]


def shown_reply(received: str) -> str:
    """Return a reply with its blank lines named; nothing only if nothing came."""
    lines = received.removesuffix("\n").split("\n") if received else []
    return "\n".join(line if line.strip() else _blank(line) for line in lines)


def _blank(line: str) -> str:
    blanks = len(line.removesuffix("\r"))
    return f"(a line of {counted(blanks, 'blank')})" if blanks else "(an empty line)"
