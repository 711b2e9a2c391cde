"""Exit statuses of commands, and the exception for mistakes of the user."""

from enum import IntEnum
from typing import Final

from grader.core.errors import GraderError


class ExitStatus(IntEnum):
    """Exit statuses of every ``firebox`` command."""

    OK = 0
    """Done, and nothing was wrong."""
    FAULT = 1
    """The agent had a fault or was flagged, a verification failed, or an upload was refused."""
    USAGE = 2
    """The command line or a file named in it is wrong."""
    HOST = 3
    """Firebox itself or this computer failed; the agent is not to blame."""


EXIT_HELP: Final = """\
exit status:
  0  done, and nothing was wrong
  1  an agent had a fault or was flagged by an audit, a verification failed, or the
     site refused an upload
  2  the command line, or a file named in it, is wrong
  3  Firebox itself or this computer failed; the agent is not to blame
"""


class UsageError(GraderError, ValueError):
    """A mistake on the command line; the message says what would be right."""
