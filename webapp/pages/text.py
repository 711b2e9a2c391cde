"""Untrusted text (stderr, file names, replies) made fit to be shown.

HTML escaping is the templates' job; this module removes what survives it: terminal escapes, control
characters, and the invisible marks that reorder or hide text.
"""

import re
from dataclasses import dataclass
from typing import Final

_TERMINAL: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)"  # OSC, DCS, SOS, PM, APC: up to BEL or ST
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
)
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls other than tab and newline
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"  # zero width, bidirectional
    "\ud800-\udfff]"  # lone surrogates cannot be encoded
)


def printable(text: str) -> str:
    """``text`` without terminal escapes; other invisible characters are written out (``<U+202E>``).

    A carriage return before a newline is dropped: that is only a Windows line ending.
    """
    plain = _TERMINAL.sub("", text.replace("\r\n", "\n"))
    return _HIDDEN.sub(lambda match: f"<U+{ord(match.group()):04X}>", plain)


@dataclass(frozen=True, slots=True)
class LastLines:
    """The end of a text, where a traceback has its point."""

    text: str
    is_part: bool
    """True if there is more before it."""
    lines: int
    """Lines of the whole text."""


def last_lines(text: str, *, lines: int = 20, characters: int = 4000) -> LastLines:
    """The end of a text, bounded in lines and characters; blank lines around do not count."""
    whole = text.strip("\n").split("\n")
    end = "\n".join(whole[-lines:])[-characters:]
    return LastLines(text=end, is_part=len(end) < len("\n".join(whole)), lines=len(whole))
