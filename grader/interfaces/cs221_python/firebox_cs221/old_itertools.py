"""Python's ``itertools``, with the iterators that its builtins became in Python 3."""

import builtins
import itertools
from collections.abc import Callable, Iterable, Iterator
from itertools import *  # noqa: F403 - all of it is what this is
from typing import Any

ifilter = filter
ifilterfalse = itertools.filterfalse
izip = zip
izip_longest = itertools.zip_longest


def imap(function: Callable[..., Any] | None, *values: Iterable[Any]) -> Iterator[Any]:
    """The function's values, one by one; without a function, tuples."""
    return zip(*values, strict=False) if function is None else builtins.map(function, *values)
