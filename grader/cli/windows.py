"""``firebox`` on Windows, where it does not run: says what to do instead."""

import sys
from collections.abc import Sequence
from typing import Final

_MESSAGE: Final = """\
firebox: this command needs Linux. On Windows, install WSL and work there: run `wsl --install` in
PowerShell, restart, and install Firebox again in the window named Ubuntu."""
_STATUS: Final = 3
"""``ExitStatus.HOST``: this computer cannot do it."""


def main(argv: Sequence[str] | None = None) -> int:  # noqa: ARG001
    """Print what to do, and return the exit status."""
    print(_MESSAGE, file=sys.stderr)
    return _STATUS
