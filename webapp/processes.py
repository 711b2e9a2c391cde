"""Processes that do the same, and end together: for servers that know only one process."""

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

__all__ = ["fork", "supervise"]


def fork(act: Callable[[], None]) -> int:
    """Do something in a process of its own; return its number.

    SIGTERM raises SystemExit in it, once: what it still has to do is not cut short by another. It
    ends with 0 then, and with 1 and a traceback after any other exception.
    """
    pid = os.fork()
    if pid:
        return pid
    signal.signal(signal.SIGTERM, _leave)
    code = 1
    try:
        with suppress(SystemExit):
            act()
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


def supervise(children: list[int]) -> int:
    """Wait for a signal, or for the first process that ends, and end all.

    Return 0 after a signal, 1 if a process ended by itself.
    """
    asked = False

    def ask(*_: Any) -> None:
        nonlocal asked
        asked = True
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask)
    ended, _ = os.wait()
    children.remove(ended)
    if not asked:
        print(f"process {ended} ended; so do the others", file=sys.stderr)
        ask()
        asked = False
    for child in children:
        os.waitpid(child, 0)
    return 0 if asked else 1


def _leave(*_: Any) -> None:
    """End after what is being done, however often that is asked."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)
