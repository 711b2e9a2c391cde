"""The names of ``string`` that only Python 2 had. An upload may have a module ``string``."""

from collections.abc import Iterable
from typing import Any

__all__ = [
    "atof", "atoi", "atol", "capitalize", "center", "count", "expandtabs", "find", "index",
    "join", "joinfields", "letters", "ljust", "lower", "lowercase", "lstrip", "maketrans",
    "replace", "rfind", "rindex", "rjust", "rsplit", "rstrip", "split", "splitfields", "strip",
    "swapcase", "translate", "upper", "uppercase", "zfill",
]  # fmt: skip

lowercase = "abcdefghijklmnopqrstuvwxyz"
uppercase = lowercase.upper()
letters = lowercase + uppercase

atof = float
atoi = atol = int
capitalize = str.capitalize
center = str.center
count = str.count
expandtabs = str.expandtabs
find = str.find
index = str.index
ljust = str.ljust
lower = str.lower
lstrip = str.lstrip
replace = str.replace
rfind = str.rfind
rindex = str.rindex
rjust = str.rjust
rsplit = str.rsplit
rstrip = str.rstrip
split = splitfields = str.split
strip = str.strip
swapcase = str.swapcase
upper = str.upper


def join(words: Iterable[str], sep: str = " ") -> str:
    """The words with ``sep`` between them."""
    return sep.join(words)


joinfields = join


def zfill(value: Any, width: int) -> str:
    """A number or text with zeros in front."""
    return (value if isinstance(value, str) else repr(value)).zfill(width)


def maketrans(before: str, after: str) -> str:
    """The table for ``translate``: 256 characters, some of them exchanged."""
    if len(before) != len(after):
        raise ValueError("maketrans arguments must have same length")
    table = [chr(number) for number in range(256)]
    for old, new in zip(before, after, strict=True):
        table[ord(old)] = new
    return "".join(table)


def translate(text: str, table: Any, deletions: str = "") -> str:
    """The text without ``deletions``, its characters exchanged by a table, if there is one."""
    left = "".join(character for character in text if character not in deletions)
    return left if table is None else left.translate(table)
