"""Forks equal processes and ends them together, for servers that run in a single process."""

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def fork(act: Callable[[], None]) -> int:
    """Run ``act`` in a child process; return the child's process number.

    The first SIGTERM raises SystemExit in the child; later ones are ignored, so that it can finish.
    The child's exit code is 0 after SystemExit or a return. After any other exception it is 1, with
    a traceback.
    """
    # Python forgets signals that come while it sets up a child: they wait for its handler.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    pid = os.fork()
    if pid:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return pid
    signal.signal(signal.SIGTERM, _exit_once)
    code = 1
    try:
        with suppress(SystemExit):
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            act()
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


def supervise(children: list[int]) -> int:
    """Wait for SIGTERM, SIGINT or the first child that ends; then end all children.

    Removes from ``children`` the child that ended first. Returns 0 after a signal, 1 if a child
    ended by itself.
    """
    signalled = False

    def stop(*_: Any) -> None:
        nonlocal signalled
        signalled = True
        _terminate(children)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    ended, _ = os.wait()
    children.remove(ended)
    if not signalled:
        print(f"process {ended} ended; so do the others", file=sys.stderr)
        _terminate(children)
    for child in children:
        os.waitpid(child, 0)
    return 0 if signalled else 1


def _terminate(children: list[int]) -> None:
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)


def _exit_once(*_: Any) -> None:
    """Handle the first SIGTERM of a child; ignore the rest."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)
