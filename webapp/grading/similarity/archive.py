"""All counted sources of an assignment as one zip, made while it is sent."""

from collections.abc import Iterator, Mapping
from io import RawIOBase
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils.text import slugify

from grader.core.errors import SystemFault
from grader.uploads.archive import Sources, read_archive
from webapp.base.errors import Refused
from webapp.base.spreadsheets import to_csv
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import archive, counted_submissions
from webapp.teaching.courses.models import Assignment, Membership

_HEADER: Final = (
    "folder", "team", "members", "submission", "uploaded", "interface", "sha256", "note",
)  # fmt: skip
_DATE: Final = (1980, 1, 1, 0, 0, 0)


class _Pipe(RawIOBase):
    """A file that is written and emptied by turns: a zip of gigabytes takes no memory."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]  # any buffer
        self._parts.append(part)
        return len(part)

    def taken(self) -> bytes:
        part = b"".join(self._parts)
        self._parts.clear()
        return part


def submissions_of(assignment: Assignment) -> list[Submission]:
    """Return the submission that counts of each team, by the teams' names."""
    counted = counted_submissions(assignment).values()
    return sorted(counted, key=lambda submission: (submission.team.name, submission.pk))


def zipped(submissions: list[Submission]) -> Iterator[bytes]:
    """Yield a zip with a folder for each team, and ``submissions.csv`` that says whose it is."""
    pipe = _Pipe()
    members = _members(submissions)
    rows = []
    with ZipFile(pipe, "w", ZIP_DEFLATED) as target:
        for submission in submissions:
            folder, note = folder_of(submission), ""
            try:
                _add(target, folder, read_archive(archive(submission)))
            except (Refused, SystemFault) as fault:
                note = f"missing: {fault}"
            rows.append(_row(submission, folder, members, note))
            yield pipe.taken()
        target.writestr(ZipInfo("submissions.csv", _DATE), to_csv(_HEADER, rows))
    yield pipe.taken()


def folder_of(submission: Submission) -> str:
    """Return the name of a team's folder, unique on any system."""
    return f"{slugify(submission.team.name)[:60] or 'team'}-{submission.team_id}"


def _add(target: ZipFile, folder: str, sources: Sources) -> None:
    for file in sources.files:
        entry = ZipInfo(f"{folder}/{file.name}", _DATE)
        entry.external_attr = 0o644 << 16
        target.writestr(entry, file.data, ZIP_DEFLATED)


def _row(
    submission: Submission, folder: str, members: Mapping[int, list[str]], note: str
) -> tuple[str, ...]:
    return (
        folder,
        submission.team.name,
        "; ".join(members.get(submission.team_id, [])),
        str(submission.number),
        submission.uploaded_at.isoformat(timespec="seconds"),
        submission.interface,
        submission.sha256,
        note,
    )


def _members(submissions: list[Submission]) -> dict[int, list[str]]:
    members: dict[int, list[str]] = {}
    rows = Membership.objects.filter(team__in=[one.team_id for one in submissions])
    for team, name in rows.order_by("user__display_name").values_list("team", "user__display_name"):
        members.setdefault(team, []).append(name)
    return members
