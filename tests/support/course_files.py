"""Course files that differ from an exported one in a chosen place, with a manifest that fits."""

import hashlib
import json
import zipfile
from io import BytesIO
from typing import Any

from django.utils import timezone

from tests.support import every_address
from tests.support.every_address import EveryThing
from webapp.contests.ladders.services import close_ladder
from webapp.contests.tournaments.services import cancel
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.services.archiving import archive_course
from webapp.grading.evaluations import services as evaluations
from webapp.grading.evaluations.models import Evaluation
from webapp.teaching.courses.models import Course

Files = dict[str, bytes]
Row = dict[str, Any]


def make_over() -> EveryThing:
    """Every kind of row that a course has, in one that is over and archived."""
    things = every_address.make()
    assignment, ida = things.world.assignment, things.world.ida
    for evaluation in Evaluation.objects.open():
        evaluations.cancel(evaluation=evaluation, by=ida)
    cancel(tournament=assignment.tournaments.get(), by=ida)
    close_ladder(ladder=assignment.ladders.get(), by=ida)
    archive_course(course=things.world.course, by=ida)
    things.world.course.refresh_from_db()
    return things


def exported(course: Course) -> BytesIO:
    file = BytesIO()
    write_course(course, file, at=timezone.now())
    file.seek(0)
    return file


def unpacked(file: BytesIO) -> Files:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Files, *, manifest: dict[str, Any] | None = None) -> BytesIO:
    """Pack files with a manifest that fits them, or with this one."""
    own = json.loads(files["manifest.json"])
    own["files"] = [
        {
            "name": name,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            "rows": data.count(b"\n") if name.endswith("jsonl") else 0,
        }
        for name, data in files.items()
        if name != "manifest.json"
    ]
    result = BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            if name != "manifest.json":
                archive.writestr(name, data)
        archive.writestr("manifest.json", json.dumps({**own, **(manifest or {})}))
    result.seek(0)
    return result


def changed(file: BytesIO, **files: bytes) -> BytesIO:
    return packed({**unpacked(file), **files})


def row_changed(file: BytesIO, name: str, **values: Any) -> BytesIO:
    first, *others = unpacked(file)[name].splitlines()
    row = json.dumps({**json.loads(first), **values}).encode()
    return changed(file, **{name: b"\n".join([row, *others]) + b"\n"})


def rows_of(file: BytesIO, name: str) -> list[Row]:
    return [json.loads(line) for line in unpacked(file)[name].splitlines()]


def rows_changed(file: BytesIO, **files: list[Row]) -> BytesIO:
    texts = {
        name: b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        for name, rows in files.items()
    }
    return changed(file, **texts)
