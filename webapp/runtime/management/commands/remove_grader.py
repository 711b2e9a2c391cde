"""``remove_grader``: undoes ``add_grader``."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from webapp.base.errors import Refused
from webapp.grading.graders import logins
from webapp.grading.graders.acl_file import replace_text
from webapp.grading.graders.models import GraderKey
from webapp.grading.graders.services import dismiss
from webapp.grading.jobs import broker


class Command(BaseCommand):
    help = "Remove a grader: its reports are refused from now on, and its login ends."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="as it was given to add_grader")
        parser.add_argument("--acl", type=Path, help="Redis' ACL file, to delete the line there")

    def handle(self, *_: Any, **options: Any) -> None:
        """Dismiss the key, then delete the line: what is left of both."""
        name, acl = options["name"], options["acl"]
        try:
            user = logins.user_of(name)
            if is_known := _dismiss(name):
                self.stdout.write(f"{name} is dismissed: its reports are refused.")
            had_line = acl is not None and _delete_line(acl, user)
        except (Refused, OSError, UnicodeError) as error:
            raise CommandError(str(error)) from error
        if not is_known and not had_line:
            raise CommandError(f"There is no grader {name}.")
        self.stdout.write(f"Redis' ACL file {_to_do(acl, user, had_line=had_line)}.")


def _dismiss(name: str) -> bool:
    """Dismiss the graders of this name, whatever happens to the file; return whether there were."""
    keys = _dismiss_all(name)
    for key in keys:
        with suppress(broker.BrokerError):  # its reports are refused all the same
            broker.dismiss(key)
    return bool(keys)


@transaction.atomic
def _dismiss_all(name: str) -> list[str]:
    rows = list(GraderKey.objects.filter(name=name))
    for row in rows:
        dismiss(row)
    return [row.public_key for row in rows]


def _delete_line(acl: Path, user: str) -> bool:
    found = logins.has_user(acl.read_text(), user)
    if found:
        replace_text(acl, lambda text: logins.without(text, user))
    return found


def _to_do(acl: Path | None, user: str, *, had_line: bool) -> str:
    if acl is None:
        return f"may still have the user {user}: delete its line, and have Redis load the file"
    if had_line:
        return f"no longer has the user {user}: have Redis load it"
    return f"had no user {user}"
