"""Where in an agent's own files a fault came from, as its interface printed it.

What an agent printed is untrusted: this reads it, and promises no more than that it says so.
"""

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["OwnLine", "own_line"]

_TOLD: Final = re.compile(r"^The agent(?: failed|'s time was over) during ", re.MULTILINE)
"""How the interface begins to explain. What stands before it, the agent printed by itself."""

_FRAME: Final = re.compile(
    r'^ {2}File "(?P<file>[^"\n]{1,240})", line (?P<line>\d{1,6})(?:, in (?P<function>\S{1,80}))?$'
    r"(?:\n {4}(?P<text>\S.{0,199}))?",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A line of the agent's own."""

    file: str
    line: int
    function: str
    """Or ``<module>``; empty if it was not told."""
    text: str
    """Empty if it was not told."""


def own_line(stderr: str) -> OwnLine | None:
    """The innermost line of the agent's own in the last explanation; ``None`` without one."""
    told = list(_TOLD.finditer(stderr))
    frames = list(_FRAME.finditer(stderr, told[-1].start())) if told else []
    if not frames:
        return None
    parts = frames[-1].groupdict(default="")
    return OwnLine(parts["file"], int(parts["line"]), parts["function"], parts["text"].strip())
