"""``prune``: deletes expired data and unused artefacts."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from grader.core.errors import SystemFault
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.clearing import remove_expired
from webapp.flow.lifecycle.models import MAX_DAYS
from webapp.flow.lifecycle.pruning import prune


class Command(BaseCommand):
    help = (
        "Remove deleted courses, data past its retention, old rows, and unreferenced artefacts."
        " The site does so daily by itself, some seconds at a time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="print what would be removed, and remove nothing"
        )
        parser.add_argument(
            "--older-than",
            type=float,
            default=24.0,
            metavar="HOURS",
            help="keep younger artefacts: an upload may be under way (default: 24)",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        if not 1 <= options["older_than"] <= MAX_DAYS * 24:
            raise CommandError(
                "--older-than is at least 1, for an upload may be under way,"
                f" and at most {MAX_DAYS * 24:,}"
            )
        now, dry_run = timezone.now(), options["dry_run"]
        for cleared in remove_expired(BatchDeadline(None), at=now, dry_run=dry_run):
            if cleared.rows:
                done = "would be removed" if dry_run else "removed"
                self.stdout.write(f"{cleared.rows:,} {cleared.label} {done}")
        try:
            pruned = prune(
                older_than=timedelta(hours=options["older_than"]), dry_run=options["dry_run"]
            )
        except SystemFault as fault:
            raise CommandError(str(fault)) from fault
        what = "would be removed" if options["dry_run"] else f"removed, {pruned.bytes:,} bytes"
        self.stdout.write(f"{pruned.kept:,} artefacts kept, {pruned.removed:,} {what}")
