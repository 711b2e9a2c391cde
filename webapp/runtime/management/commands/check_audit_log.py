"""``check_audit_log``: verifies that the audit log was not changed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from webapp.people.auditlog.chain import End, check, link_new_acts


class Command(BaseCommand):
    help = (
        "Compute the chain over the audit log again, and print its end. Keep the end elsewhere: "
        "given to a later check, it shows a chain that was forged as a whole."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--kept", default="", help="an end that an earlier check printed")

    def handle(self, *_: Any, **options: Any) -> None:
        kept = _end(options["kept"]) if options["kept"] else None
        while link_new_acts():
            pass
        checked = check(at=timezone.now(), kept=kept)
        self.stdout.write(str(checked.end))
        if checked.problems:
            raise CommandError("\n".join(checked.problems))


def _end(text: str) -> End:
    position, _, digest = text.partition(":")
    if not position.isdecimal() or len(digest) != len("0" * 64):
        raise CommandError("An end looks like 123:9f86d081…, as a check prints it.")
    return End(int(position), digest)
