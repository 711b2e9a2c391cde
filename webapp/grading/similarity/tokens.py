"""Tokens of a source file, without names, numbers, strings, comments and blanks.

Renamed variables and other line breaks do not change them. A source may be made to keep a lexer
busy.
"""

import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import pygments
from pygments.lexer import Lexer
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.haskell import HaskellLexer
from pygments.lexers.jvm import JavaLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Literal, Name, String, Text, Whitespace

SCHEME: Final = f"2/{pygments.__version__}"
"""The way in which files are chosen and tokens made. Fingerprints of another are not comparable."""
MAX_SECONDS: Final = 2.0
"""Processor time for one file; a program of 300 lines takes some hundredths."""
MAX_TOKENS: Final = 100_000
"""The most of one file."""

_C: Final = (".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx")
SUFFIXES: Final[Mapping[str, type[Lexer]]] = {
    ".py": PythonLexer,
    ".java": JavaLexer,
    ".hs": HaskellLexer,
    **dict.fromkeys(_C, CppLexer),
}
_LEFT_OUT: Final = (Comment, Text, Whitespace, String.Doc)


class TokenLimitError(Exception):
    """A file takes too long, or has too many tokens."""


class Token(NamedTuple):
    text: str
    line: int


def is_source(name: str) -> bool:
    """Return whether a file of this name is read."""
    return PurePosixPath(name).suffix.lower() in SUFFIXES


def lines_of(data: bytes) -> list[str]:
    """Return a file's lines: those that tokens are numbered by."""
    text = data.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def tokens_of(name: str, data: bytes) -> list[Token]:
    """Return a file's tokens. Raises LimitError. For the main thread only: it sets a timer."""
    lexer = _lexer(PurePosixPath(name).suffix.lower())
    tokens: list[Token] = []
    with _processor_seconds(MAX_SECONDS):
        for token in _tokens(lexer, "\n".join(lines_of(data)) + "\n"):
            if len(tokens) == MAX_TOKENS:
                raise TokenLimitError(f"more than {MAX_TOKENS:,} tokens")
            tokens.append(token)
    return tokens


@cache
def _lexer(suffix: str) -> Lexer:
    return SUFFIXES[suffix]()


def _tokens(lexer: Lexer, text: str) -> Iterator[Token]:
    """Yield tokens; a string counts as one, however its lexer cuts it up."""
    line, counted, before = 1, 0, ""
    for at, kind, value in lexer.get_tokens_unprocessed(text):
        line, counted = line + text.count("\n", counted, at), at
        word = _word(kind)
        if word == "":
            continue
        if word is None:
            for part in _parts(kind, value):
                yield Token(part, line)
        elif word != "string" or before != "string":
            yield Token(word, line)
        before = word or ""


@cache
def _word(kind: object) -> str | None:
    """Return the word for all tokens of a kind, "" for what is left out, ``None`` for itself."""
    if any(kind in one for one in _LEFT_OUT):
        return ""
    if kind in String:
        return "string"
    if kind in Name or kind in Keyword.Type:
        return "name"
    if kind in Literal:
        return "number"
    return None


def _parts(kind: object, value: str) -> Iterable[str]:
    return (value.strip(),) if kind in Keyword else "".join(value.split())


@contextmanager
def _processor_seconds(limit: float) -> Iterator[None]:
    """Limit the processor time of this block, also in a regular expression: raise LimitError."""

    def stop(*_: object) -> None:
        raise TokenLimitError(f"more than {limit:g} s of computing to read it")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
