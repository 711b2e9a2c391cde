"""``firebox login``: keeps a site's access token on this computer."""

import argparse
import getpass
import sys
from typing import Final

from grader.cli.exits import Exit, UsageError
from grader.cli.output import say
from grader.cli.site import Site, forget_token, keep_token

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "sign in to your course's site to submit from this computer"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "site", metavar="SITE", help="the site's address, such as https://firebox.uni.edu"
    )
    parser.add_argument("--forget", action="store_true", help="remove the token from this computer")


def run(arguments: argparse.Namespace) -> Exit:
    """Ask for the token, try it, keep it."""
    address = Site(arguments.site, "").address
    if arguments.forget:
        known = forget_token(address)
        say("The token is removed here. Revoke it on your profile page, too." if known else
            "There was no token for this site.")  # fmt: skip
        return Exit.OK
    token = _token(address)
    user = Site(address, token).get("me")
    path = keep_token(address, token)
    say(f"Signed in to {address} as {user['name']}. The token is kept in {path}.")
    return Exit.OK


def _token(address: str) -> str:
    """Return what was typed, or piped in. Raises UsageError if that is nothing."""
    if sys.stdin.isatty():
        say(f"Create a token on {address}/accounts/profile/ and paste it here.")
        token = getpass.getpass("Token: ")
    else:
        token = sys.stdin.readline()
    if not token.strip():
        raise UsageError("no token was given")
    return token.strip()
