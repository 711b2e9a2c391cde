"""``itertools`` as in Python 2: with ``izip`` and the others that are builtins in Python 3."""

import builtins
import itertools
from collections.abc import Callable, Iterable, Iterator
from itertools import *  # noqa: F403 - this module extends it
from typing import Any

ifilter = filter
ifilterfalse = itertools.filterfalse
izip = zip
izip_longest = itertools.zip_longest


def imap(function: Callable[..., Any] | None, *values: Iterable[Any]) -> Iterator[Any]:
    """Yield the function's results; if it is ``None``, tuples of its arguments."""
    return zip(*values, strict=False) if function is None else builtins.map(function, *values)
