"""``add_grader``: give a machine that will grade a login and a key of its own."""

import secrets
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.grading.graders import logins
from webapp.grading.graders.acl_file import replace_text
from webapp.grading.graders.services import add_key

_PASSWORD_BYTES = 32


class Command(BaseCommand):
    help = (
        "Add a grader: print a script that sets up a machine as this grader, and a line for"
        " Redis' ACL file. remove_grader undoes both."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="lower-case letters, digits and hyphens, such as lab-3")
        parser.add_argument("--acl", type=Path, help="Redis' ACL file, to add the line there")
        parser.add_argument(
            "--broker",
            default=settings.BROKER_URL,
            help="Redis' address, as the machine reaches it",
        )
        parser.add_argument(
            "--store",
            default=settings.STORE_URL,
            help="the store's address, as the machine reaches it",
        )
        parser.add_argument(
            "--store-key",
            type=Path,
            metavar="FILE",
            help="settings with which the machine reads the store, such as AWS_ACCESS_KEY_ID=…, one"
            " a line",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        password = secrets.token_hex(_PASSWORD_BYTES)
        try:
            user = logins.user_of(options["name"])
            script = self._add(user, password, **options)
        except (Refused, OSError, UnicodeError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(script, ending="")
        self.stderr.write(f"{options['name']} is admitted. Run the script there, as root.")

    @transaction.atomic
    def _add(self, user: str, password: str, **options: Any) -> str:
        key = Ed25519PrivateKey.generate()
        add_key(
            public_key=key.public_key().public_bytes_raw().hex(),
            name=options["name"],
            at=timezone.now(),
        )
        script = logins.joining_script(
            name=options["name"],
            site=settings.SITE_URL,
            broker_url=logins.broker_url_of(options["broker"], user, password),
            store_url=options["store"],
            private_key=key.private_bytes_raw().hex(),
            store_key=_store_key(options["store_key"]),
        )
        self._add_user(user, logins.acl_line(user, password), options["acl"])
        return script

    def _add_user(self, user: str, line: str, acl: Path | None) -> None:
        """Write the line into the file; without one, say where it belongs."""
        if acl is None:
            self.stderr.write(f"Add this line to Redis' ACL file, and have Redis load it:\n{line}")
            return
        replace_text(acl, lambda text: logins.with_line(text, line))
        self.stderr.write(f"{acl} has the user {user}. Have Redis load it.")


def _store_key(path: Path | None) -> list[str]:
    return [] if path is None else logins.store_settings(path.read_text())
