"""``claim_broker``: makes Redis this site's, after it has moved to another address."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.grading.jobs import broker


class Command(BaseCommand):
    help = (
        "Make the Redis of another site this site's. Only if that site is this one under a former"
        " address, or runs no more: two sites on one Redis lose each other's work."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--from",
            dest="former",
            required=True,
            metavar="NAME",
            help="the name of the site that Redis belongs to, as the refusal has it",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            is_claimed = broker.claim(options["former"])
        except broker.BrokerError as error:
            raise CommandError(str(error)) from error
        if not is_claimed:
            raise CommandError(f"This Redis does not belong to the site {options['former']}.")
        self.stdout.write(f"Redis belongs to the site at {settings.SITE_URL} now.")
