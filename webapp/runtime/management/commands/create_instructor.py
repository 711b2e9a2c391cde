"""``create_instructor``: an account that may create courses, with a password made up here."""

import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.base.errors import Refused
from webapp.people.accounts.services import create_instructor


class Command(BaseCommand):
    help = "Create an account that may create courses; prints its password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("name", help="as shown on the site")

    def handle(self, *_: Any, **options: Any) -> None:
        password = secrets.token_urlsafe(12)
        try:
            user = create_instructor(
                email=options["email"], display_name=options["name"], password=password
            )
        except Refused as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"{user.email}\n{password}")
