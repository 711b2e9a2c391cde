"""``firebox login``: keeps a site's access token on this computer."""

import getpass
import sys
from dataclasses import dataclass
from typing import Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.output import say
from grader.cli.site import SiteClient, forget_token, keep_token

HELP: Final = "sign in to your course's site to submit from this computer"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginArguments:
    """The command line of ``firebox login``."""

    site: str = argument(metavar="SITE", help="the site's address, such as https://firebox.uni.edu")
    forget: bool = argument("--forget", help="remove the token from this computer")


def run(arguments: LoginArguments) -> ExitStatus:
    """Ask for the token, try it, keep it."""
    address = SiteClient(arguments.site, "").address
    if arguments.forget:
        known = forget_token(address)
        say("The token is removed here. Revoke it on your profile page, too." if known else
            "There was no token for this site.")  # fmt: skip
        return ExitStatus.OK
    token = _token(address)
    user = SiteClient(address, token).get("me")
    path = keep_token(address, token)
    say(f"Signed in to {address} as {user['name']}. The token is kept in {path}.")
    return ExitStatus.OK


def _token(address: str) -> str:
    if sys.stdin.isatty():
        say(f"Create a token on {address}/accounts/profile/ and paste it here.")
        token = getpass.getpass("Token: ")
    else:
        token = sys.stdin.readline()
    if not token.strip():
        raise UsageError("no token was given")
    return token.strip()
