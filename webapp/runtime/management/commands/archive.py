"""``archive``: writes everything of an archived course into one file."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from grader.core.errors import SystemFault
from webapp.base.errors import Refused
from webapp.flow.lifecycle.exporting import write_course
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import Course


class Command(BaseCommand):
    help = "Write everything of an archived course into one file; `firebox verify` checks it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("course", help="the course's short name")
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="default: COURSE.firebox.zip"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Write beside the file, then move into its place: there is the whole file or none."""
        course = Course.objects.filter(slug=options["course"], deleted_at=None).first()
        if course is None:
            raise CommandError(f"no course has the short name {options['course']}")
        path = options["output"] or Path(f"{course.slug}.firebox.zip")
        partial = path.with_name(f".{path.name}.partial")
        try:
            with partial.open("w+b") as file:
                partial.chmod(0o600)
                manifest = write_course(course, file, at=timezone.now())
            partial.replace(path)
        except (Refused, SystemFault, OSError) as error:
            raise CommandError(str(error)) from error
        finally:
            with suppress(OSError):  # it was never made, or cannot be deleted either
                partial.unlink()
        with transaction.atomic():
            record(ActKind.COURSE_EXPORTED, by=None, course=course, reason="By an operator.")
        n_rows = sum(entry.rows for entry in manifest.files)
        self.stdout.write(f"{path}: {n_rows:,} rows, {path.stat().st_size:,} bytes")
