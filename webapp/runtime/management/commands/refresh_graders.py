"""``refresh_graders``: gives the graders in an ACL file this version's rules, after an upgrade."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.grading.graders import logins
from webapp.grading.graders.acl_file import replace_text


class Command(BaseCommand):
    help = (
        "Give all graders in Redis' ACL file the rules of this version. Names and passwords stay."
        " Have Redis load the file then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--acl", type=Path, required=True, help="Redis' ACL file")

    def handle(self, *_: Any, **options: Any) -> None:
        """Rewrite the file, all of it or nothing."""
        try:
            replace_text(options["acl"], logins.with_current_rules)
        except (OSError, UnicodeError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['acl']} has this version's rules. Have Redis load it.")
