"""``import_course``: takes in a course file of any size."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grader.core.errors import SystemFault
from webapp.base.errors import SiteError
from webapp.flow.lifecycle.services.importing import import_course
from webapp.people.accounts.identities import has_confirmed_address
from webapp.people.accounts.models import User


class Command(BaseCommand):
    help = "Check a course file that a site exported, and import the course."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("slug", help="the short name that the course gets here")
        parser.add_argument(
            "--instructor",
            required=True,
            metavar="EMAIL",
            help="e-mail address of its instructor here",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        email = User.objects.normalize_email(options["instructor"])
        by = User.objects.filter(email=email).first()
        if by is None:
            raise CommandError(f"no account has the address {email}")
        if not has_confirmed_address(by):  # another person may have registered it
            raise CommandError(
                f"nobody has confirmed the address {email}: its owner does so on the profile page,"
                " or by resetting the password"
            )
        try:
            with options["file"].open("rb") as file:
                imported = import_course(file=file, by=by, slug=options["slug"])
        except (SiteError, SystemFault, OSError) as error:
            raise CommandError(str(error)) from error
        report = imported.report
        self.stdout.write(
            f"{imported.course}: {report.grades} grades derived again from {report.games:,} games,"
            f" {imported.joined} people joined, {imported.created} accounts created,"
            f" {imported.withdrawn} withdrawn because nobody has confirmed their address"
        )
