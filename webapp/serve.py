"""Serves the site's pages: ``python -m webapp.serve --bind 127.0.0.1:8000 --processes 3``.

Waitress reads a request to its end before it gives it to a thread: a client that sends slowly, or
never finishes, holds a socket and no thread. Sockets are taken back from such clients when they
run short (``webapp.base.connections``). Waitress runs in one process, so several processes share
the listening socket here. When one of them ends, all do, and systemd or Docker restarts them.
"""

import argparse
import socket
import sys
from collections.abc import Sequence
from typing import Final

from django.conf import settings

from webapp.base.connections import Server
from webapp.base.processes import fork, supervise
from webapp.wsgi import application

_CONNECTIONS: Final = 500
"""The usual maximum for each process: below the usual 1,024 open files."""
_FORM_BYTES: Final = 1 << 20
"""The maximum size of a request besides its upload."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal; return 0 then, and 1 if a process ended by itself."""
    options = _parser().parse_args(arguments)
    host, _, port = options.bind.rpartition(":")
    with socket.create_server((host, int(port)), backlog=1024) as listener:
        children = [
            fork(lambda: _serve(listener, options.threads, options.connections))
            for _ in range(options.processes)
        ]
        return supervise(children)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m webapp.serve", description="Serve the site.")
    parser.add_argument("--bind", default="127.0.0.1:8000", metavar="HOST:PORT")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--threads", type=int, default=4, metavar="N", help="of each process")
    parser.add_argument(
        "--connections", type=int, default=_CONNECTIONS, metavar="N", help="of each process"
    )
    return parser


def _serve(listener: socket.socket, threads: int, connections: int) -> None:
    """Answer requests until SIGTERM; requests under way get a few seconds to finish."""
    # Not at the top: it imports models, and only making the application sets Django up.
    from webapp.grading.operations.requests import keep_adding

    server = Server(
        application,
        connections=connections,
        sockets=[listener],
        threads=threads,
        cleanup_interval=5,
        max_request_body_size=_FORM_BYTES
        + max(settings.MAX_UPLOAD_BYTES, settings.MAX_ARCHIVE_BYTES, settings.MAX_IMPORT_BYTES),
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=False,  # the site counts the proxies that it trusts
        ident="",
    )
    keep_adding()
    server.run()


if __name__ == "__main__":
    sys.exit(main())
