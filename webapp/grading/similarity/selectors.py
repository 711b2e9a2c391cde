"""The latest comparison as one person may see it, and a pair side by side."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from grader.core.errors import SystemFault
from grader.uploads.archive import read_archive
from webapp.base.errors import Refused
from webapp.grading.similarity.models import Comparison, SimilarPair, SourcePrints
from webapp.grading.similarity.prints import Fingerprint, Prints, left_out_in
from webapp.grading.similarity.tokens import lines_of
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import archive
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

MAX_LINES: Final = 4_000
MAX_COLUMNS: Final = 400


def latest(assignment: Assignment) -> Comparison | None:
    """Return the assignment's last comparison that is over. One query."""
    return assignment.source_comparisons.filter(finished_at__isnull=False).first()


def pairs_seen_by(user: User, comparison: Comparison) -> QuerySet[SimilarPair]:
    """Return its pairs whose courses' staff the user is on; callers check the rights in its own."""
    seen = Submission.objects.visible_to(user)
    return comparison.pairs.filter(second__in=seen.values("pk")).select_related(
        "comparison__assignment__course",
        "first__team__assignment__course",
        "second__team__assignment__course",
    )


def notes_of(comparison: Comparison) -> list[tuple[str, str]]:
    """Return the teams whose sources could not be read, and why. One query."""
    rows = SourcePrints.objects.filter(submission__in=comparison.own).exclude(failure="")
    return list(rows.order_by("submission__team__name").values_list(
        "submission__team__name", "failure"
    ))  # fmt: skip


def left_out_of(comparison: Comparison) -> list[tuple[str, str]]:
    """Return the teams with files that were not read, or not to their end, and why. One query."""
    rows = SourcePrints.objects.filter(submission__in=comparison.own, failure="")
    packed = rows.order_by("submission__team__name").values_list("submission__team__name", "packed")
    return [(team, text) for team, prints in packed for text in left_out_in(bytes(prints))]


@dataclass(frozen=True, slots=True)
class ComparedLine:
    number: int
    text: str
    block: int
    """The number of the passage that it is part of; 0: of none."""
    begins: bool


@dataclass(frozen=True, slots=True)
class SimilarFile:
    name: str
    lines: tuple[ComparedLine, ...]
    cut: int


@dataclass(frozen=True, slots=True)
class Side:
    """One program of a pair: the files with passages in common."""

    submission: Submission
    files: tuple[SimilarFile, ...]
    others: int
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One passage that both have, by its place in the first program."""

    number: int
    file: str
    first: int
    last: int

    @property
    def lines(self) -> int:
        return self.last - self.first + 1


def sides_of(pair: SimilarPair) -> tuple[Side, Side, tuple[Block, ...]]:
    """Return both programs with the lines they share. Reads the store twice."""
    ours, theirs = (_prints(one) for one in (pair.first, pair.second))
    shared = pair.hashes
    spans = _spans(mark for mark in ours.marks if mark.hash in shared)
    numbers = _numbers(ours, spans, shared)
    blocks = tuple(
        Block(number, ours.files[file], first, last)
        for number, (file, first, last) in enumerate(spans, start=1)
    )
    left = _side(pair.first, ours, numbers)
    return left, _side(pair.second, theirs, numbers), blocks


def _prints(submission: Submission) -> Prints:
    row = SourcePrints.objects.filter(submission=submission).first()
    return row.prints if row is not None else Prints((), ())


def _spans(marks: Iterable[Fingerprint]) -> list[tuple[int, int, int]]:
    """Join marks whose lines touch: file, first line, last line."""
    spans: list[tuple[int, int, int]] = []
    for mark in sorted(marks, key=lambda mark: (mark.file, mark.first)):
        if spans and spans[-1][0] == mark.file and mark.first <= spans[-1][2] + 1:
            file, first, last = spans[-1]
            spans[-1] = (file, first, max(last, mark.last))
        else:
            spans.append((mark.file, mark.first, mark.last))
    return spans


def _numbers(prints: Prints, spans: list[tuple[int, int, int]], shared: set[int]) -> dict[int, int]:
    numbers: dict[int, int] = {}
    at = 0
    for mark in sorted(prints.marks, key=lambda mark: (mark.file, mark.first)):
        if mark.hash not in shared:
            continue
        while (spans[at][0], spans[at][2]) < (mark.file, mark.last):
            at += 1
        numbers.setdefault(mark.hash, at + 1)
    return numbers


def _side(submission: Submission, prints: Prints, numbers: dict[int, int]) -> Side:
    try:
        data = {file.name: file.data for file in read_archive(archive(submission)).files}
    except (Refused, SystemFault) as fault:
        return Side(submission, (), 0, str(fault))
    marked: dict[str, dict[int, int]] = {}
    for mark in prints.marks:
        if number := numbers.get(mark.hash):
            lines = marked.setdefault(prints.files[mark.file], {})
            for line in range(mark.first, mark.last + 1):
                lines.setdefault(line, number)
    seen: set[int] = set()
    files = tuple(_file(name, data[name], marked[name], seen) for name in marked if name in data)
    return Side(submission, files, len(prints.files) - len(files))


def _file(name: str, data: bytes, blocks: dict[int, int], seen: set[int]) -> SimilarFile:
    lines = lines_of(data)
    shown = tuple(_lines(lines[:MAX_LINES], blocks, seen))
    return SimilarFile(name, shown, max(0, len(lines) - MAX_LINES))


def _lines(lines: list[str], blocks: dict[int, int], seen: set[int]) -> Iterator[ComparedLine]:
    for number, text in enumerate(lines, start=1):
        block = blocks.get(number, 0)
        yield ComparedLine(number, text[:MAX_COLUMNS], block, bool(block) and block not in seen)
        seen.add(block)
