"""Serves the site's pages: ``python -m webapp.serve --bind 127.0.0.1:8000 --processes 3``.

By Waitress, which reads a request to its end before a thread sees it: who sends slowly, or never
ends, holds a socket and no thread. It knows one process, so several share the listening socket
here. When one of them ends, all do, and whoever supervises them starts them again.
"""

import argparse
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import waitress
from django.conf import settings

from webapp.wsgi import application

_SILENT_SECONDS: Final = 30
"""After so long without a byte a connection is closed."""
_CONNECTIONS: Final = 500
"""Of each process at most: below the usual 1,024 open files."""
_FORM_BYTES: Final = 1 << 20
"""What a request may hold besides an upload."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal ends it; 1 if a process ended by itself."""
    options = _parser().parse_args(arguments)
    host, _, port = options.bind.rpartition(":")
    with socket.create_server((host, int(port)), backlog=1024) as listener:
        children = [
            _fork(lambda: _serve(listener, options.threads)) for _ in range(options.processes)
        ]
        return _supervise(children)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m webapp.serve", description="Serve the site.")
    parser.add_argument("--bind", default="127.0.0.1:8000", metavar="HOST:PORT")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--threads", type=int, default=4, metavar="N", help="of each process")
    return parser


def _serve(listener: socket.socket, threads: int) -> None:
    """Answer requests until SIGTERM; those that are being answered get some seconds."""
    waitress.serve(
        application,
        sockets=[listener],
        threads=threads,
        connection_limit=_CONNECTIONS,
        channel_timeout=_SILENT_SECONDS,
        cleanup_interval=5,
        max_request_body_size=settings.MAX_UPLOAD_BYTES + _FORM_BYTES,
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=False,  # the site counts the proxies that it trusts
        ident="",
    )


def _fork(act: Callable[[], None]) -> int:
    """Do something in a process of its own; return its number."""
    pid = os.fork()
    if pid:
        return pid
    signal.signal(signal.SIGTERM, _leave)
    try:
        act()
    finally:
        os._exit(0)


def _supervise(children: list[int]) -> int:
    """Wait for a signal, or for the first process that ends, and end all."""
    asked = False

    def ask(*_: Any) -> None:
        nonlocal asked
        asked = True
        for child in children:
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
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main())
