"""Has lib2to3 turn the syntax of Python 2 into Python 3's; ``adapting`` does the rest.

lib2to3 is a part of Python up to 3.12; the sandbox has 3.11. Its fixers that add lines are left
out, so that lines keep their numbers: ``python2`` has what they would import.
"""

import io
import tokenize
import warnings
from collections.abc import Set
from functools import cache
from typing import Any, Final

from . import fix_lambda_tuples, fix_raise_text

_FIXERS: Final = (
    *("apply", "asserts", "basestring", "dict", "except", "exec", "execfile", "exitfunc"),
    *("funcattrs", "getcwdu", "has_key", "imports", "imports2", "input", "isinstance"),
    *("long", "metaclass", "methodattrs", "ne", "next", "nonzero"),
    *("numliterals", "paren", "print", "raise", "raw_input", "renames", "repr", "standarderror"),
    *("sys_exc", "throw", "tuple_params", "unicode", "urllib", "xrange", "xreadlines"),
    "zip",
)

_NEITHER: Final = "nor is it Python 2"
TOO_DEEP: Final = "nested too deeply to be translated from Python 2"


class Untranslatable(Exception):  # noqa: N818 - the student's doing, not an error of ours
    """It is no Python 2 either, or there is no lib2to3; the text may be added to a message."""

    def __init__(self, text: str, line: int = 0, column: int = 0) -> None:
        """``line`` and ``column`` count from 1: where Python 2 stops; 0 where nobody knows."""
        super().__init__(text)
        self.line = line
        self.column = column


def translated(source: bytes, *, own: Set[str] = frozenset()) -> str:
    """Return the text in Python 3, with as many lines. Raises Untranslatable.

    ``own`` are the names of the upload's modules: imports of them are not renamed.
    """
    text = _decoded(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _refactored(text, own)
        except RecursionError:
            raise Untranslatable(TOO_DEEP) from None


def _decoded(source: bytes) -> str:
    """Return the text with ``\\n``; indents are spaces: Python 2 took a tab to the next eighth."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        text = source.decode("latin-1")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(map(_without_tabs, lines)).rstrip() + "\n"


def _without_tabs(line: str) -> str:
    rest = line.lstrip(" \t")
    return line[: len(line) - len(rest)].expandtabs(8) + rest


def _refactored(text: str, own: Set[str]) -> str:
    try:
        tool = _tool(_renamed() & own)
        from lib2to3.pgen2.parse import ParseError
        from lib2to3.pgen2.tokenize import TokenError
    except ImportError:
        raise Untranslatable("to translate it from Python 2 takes Python 3.11 or 3.12") from None
    try:
        return str(tool.refactor_string(text, "submission"))
    except ParseError as error:
        line, column = error.context[1]
        raise Untranslatable(_NEITHER, line, column + 1) from None
    except TokenError as error:  # where what is open begins, or the end of the file
        line, column = error.args[1]
        raise Untranslatable(_NEITHER, line, column + 1) from None
    except IndentationError as error:
        raise Untranslatable(_NEITHER, error.lineno or 0, error.offset or 0) from None
    except (UnicodeError, ValueError):
        raise Untranslatable(_NEITHER) from None


@cache
def _renamed() -> Set[str]:
    from lib2to3.fixes.fix_imports import MAPPING
    from lib2to3.fixes.fix_imports2 import MAPPING as MORE

    return frozenset({*MAPPING, *MORE})


@cache
def _tool(kept: Set[str]) -> Any:
    """Make a translator that renames no ``kept`` module. Raises ImportError."""
    from lib2to3.fixes import fix_imports, fix_imports2
    from lib2to3.refactor import RefactoringTool

    for module, kind in ((fix_imports, "FixImports"), (fix_imports2, "FixImports2")):
        names = {old: new for old, new in module.MAPPING.items() if old not in kept}
        getattr(module, kind).mapping = names  # the fixer makes its pattern from them
    fixers = [f"lib2to3.fixes.fix_{name}" for name in _FIXERS]
    own = [fix_lambda_tuples.__name__, fix_raise_text.__name__]
    tool = RefactoringTool([*own, *fixers])
    for fixer in (*tool.pre_order, *tool.post_order):
        if hasattr(fixer, "mapping"):
            fixer.mapping = type(fixer).mapping  # kept: the next tool changes the class
    return tool
