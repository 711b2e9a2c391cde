"""``remove_two_factor``: for a person who has lost the app and the recovery codes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.people.accounts.models import User
from webapp.people.accounts.two_factor import remove_two_factor


class Command(BaseCommand):
    help = "Remove the authenticator app and the recovery codes of an account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--reason", required=True, help="for the audit log")

    def handle(self, *_: Any, **options: Any) -> None:
        email = User.objects.normalize_email(options["email"])
        user = User.objects.filter(email=email).first()
        if user is None:
            raise CommandError(f"There is no account {email}.")
        removed = remove_two_factor(user=user, by=None, reason=options["reason"])
        self.stdout.write(
            f"{email} signs in without a code now." if removed else f"{email} had no second factor."
        )
