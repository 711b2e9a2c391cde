"""``admit_grader``: admit a grader by the key that its machine shows."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.grading.graders.services import admit_key


class Command(BaseCommand):
    help = "Admit a grader by its public key, which `python -m grader.broker.signing` prints."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", help="64 hexadecimal digits")
        parser.add_argument("--name", default="a grader", help="its name on the page Graders")

    def handle(self, *_: Any, **options: Any) -> None:
        """Admit the grader. Its workers learn of it at the next tick of the beat."""
        try:
            key = admit_key(public_key=options["key"], name=options["name"], at=timezone.now())
        except Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{key.name} is admitted: {key.fingerprint}")
