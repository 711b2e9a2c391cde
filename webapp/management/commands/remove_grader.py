"""``remove_grader``: undoes ``add_grader``."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from webapp.errors import Refused
from webapp.graders import logins
from webapp.graders.models import GraderKey
from webapp.graders.services import dismiss
from webapp.jobs import broker


class Command(BaseCommand):
    """Remove a grader."""

    help = "Remove a grader: its reports are refused from now on, and its login ends."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the name and the ACL file."""
        parser.add_argument("name", help="as it was given to add_grader")
        parser.add_argument("--acl", type=Path, help="Redis' ACL file, to delete the line there")

    def handle(self, *_: Any, **options: Any) -> None:
        """Dismiss the key, delete the line."""
        name, acl = options["name"], options["acl"]
        try:
            user = logins.user_of(name)
            with transaction.atomic():
                keys = _dismiss_all(name)
                if acl is not None:
                    acl.write_text(logins.without(acl.read_text(), user))
        except (Refused, OSError) as error:
            raise CommandError(str(error)) from error
        for key in keys:
            with suppress(broker.BrokerError):  # its reports are refused all the same
                broker.dismiss(key)
        self.stdout.write(f"{name} is dismissed: its reports are refused.")
        where = "it was deleted there" if acl else f"delete the line of {user}"
        self.stdout.write(f"Redis' ACL file: {where}, and have Redis load the file.")


def _dismiss_all(name: str) -> list[str]:
    """Dismiss the graders of this name; return their public keys. Raises Refused if none is."""
    rows = list(GraderKey.objects.filter(name=name))
    if not rows:
        raise Refused(f"There is no grader {name}.")
    for row in rows:
        dismiss(row)
    return [row.public_key for row in rows]
