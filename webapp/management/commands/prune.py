"""``prune``: removes what lies in the artefact store and belongs to nothing."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grader.core.errors import SystemFault
from webapp.pruning import prune


class Command(BaseCommand):
    """Remove artefacts that no row names."""

    help = "Remove artefacts that no submission, evaluation or tournament refers to."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add ``--dry-run`` and ``--older-than``."""
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be removed, and remove nothing"
        )
        parser.add_argument(
            "--older-than",
            type=float,
            default=24.0,
            metavar="HOURS",
            help="leave what is younger: an upload may be under way (default: 24)",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Prune and say what came of it."""
        if options["older_than"] < 1:
            raise CommandError("--older-than is at least 1: an upload may be under way")
        try:
            pruned = prune(
                older_than=timedelta(hours=options["older_than"]), dry_run=options["dry_run"]
            )
        except SystemFault as fault:
            raise CommandError(str(fault)) from fault
        what = "would be removed" if options["dry_run"] else f"removed, {pruned.bytes:,} bytes"
        self.stdout.write(f"{pruned.kept:,} artefacts kept, {pruned.removed:,} {what}")
