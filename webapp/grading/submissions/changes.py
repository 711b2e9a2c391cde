"""The changes between the sources of two submissions, which may be made to be slow to compare."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import BytesIO
from itertools import accumulate, groupby
from typing import Final

from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import archive
from webapp.grading.submissions.source import MAX_COLUMNS, MAX_LINES, text_lines, uploaded_name

AROUND: Final = 3
MAX_SHOWN: Final = 4000
"""Lines that a page shows, those that are folded included."""
MAX_FOLDED: Final = 200
MAX_STEPS: Final = 2_000_000
"""Steps of comparing for a page: about a second. Without a limit, two files of 20,000 lines take
hours if each line is there 140 times."""


@dataclass(frozen=True, slots=True)
class ChangedLine:
    sign: str
    """``+``, ``-``, or a blank: in both."""
    number: int
    """In the later file; of a removed line, in the earlier one."""
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that follow one another: changes with what is around them, or unchanged ones."""

    lines: tuple[ChangedLine, ...]
    folded: int = 0
    """The number of unchanged lines, which are shown on demand, or not at all; 0 for changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file that only one submission has, or that is not the same in both."""

    name: str
    what: str
    """``added``, ``removed``, ``renamed`` or ``changed``."""
    old_name: str = ""
    sizes: tuple[int, ...]
    """Bytes, earlier and later, of the versions that there are."""
    is_binary: bool = False
    added: int = 0
    removed: int = 0
    """Lines."""
    passages: tuple[Passage, ...] = ()
    is_cut: bool = False


@dataclass(slots=True)
class _Budget:
    steps: int = MAX_STEPS
    lines: int = MAX_SHOWN


def changes(earlier: Submission, later: Submission) -> list[ChangedFile]:
    """Return the files that differ, by name. Bounded in time and size.

    Raises Refused if sources were removed; SystemFault if the store lacks them.
    """
    before, after = _files(earlier), _files(later)
    budget = _Budget()
    return [
        _compared(old, new, before.get(old), after.get(new), budget)
        for old, new in sorted(_pairs(before, after), key=lambda pair: pair[1] or pair[0])
    ]


def _files(submission: Submission) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(archive(submission))) as files:
        return {uploaded_name(submission, name): files.read(name) for name in files.namelist()}


def _pairs(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield the names, earlier and later, of each file that differs; empty where there is none.

    A file with another name is the same if its content is, or if it is the only one.
    """
    yield from ((name, name) for name in before.keys() & after if before[name] != after[name])
    gone, new = sorted(before.keys() - after), sorted(after.keys() - before)
    by_content = {before[name]: name for name in reversed(gone)}
    for name in [*new]:
        if (old := by_content.pop(after[name], None)) is not None:
            yield old, name
            gone.remove(old)
            new.remove(name)
    if len(gone) == len(new) == 1:
        yield gone[0], new[0]
    else:
        yield from ((name, "") for name in gone)
        yield from (("", name) for name in new)


def _compared(
    old: str, new: str, before: bytes | None, after: bytes | None, budget: _Budget
) -> ChangedFile:
    what = "changed" if old == new else "renamed" if old and new else "added" if new else "removed"
    there = [data for data in (before, after) if data is not None]
    sizes = tuple(map(len, there))
    is_binary = any(b"\0" in data for data in there)
    old_name = old if what == "renamed" else ""
    if is_binary or before == after:
        return ChangedFile(
            name=new or old, what=what, old_name=old_name, sizes=sizes, is_binary=is_binary
        )
    old_lines, new_lines = text_lines(before or b""), text_lines(after or b"")
    budget.steps -= min(len(old_lines), MAX_LINES) + min(len(new_lines), MAX_LINES)
    if budget.steps < 0 or budget.lines <= 0:
        return ChangedFile(name=new or old, what=what, old_name=old_name, sizes=sizes, is_cut=True)
    edits = _edits(old_lines[:MAX_LINES], new_lines[:MAX_LINES], budget)
    shown, was_cut = _passages(edits, budget)
    return ChangedFile(
        name=new or old,
        what=what,
        old_name=old_name,
        sizes=sizes,
        added=sum(line.sign == "+" for line in edits),
        removed=sum(line.sign == "-" for line in edits),
        passages=tuple(shown),
        is_cut=was_cut or max(len(old_lines), len(new_lines)) > MAX_LINES,
    )


def _edits(before: Sequence[str], after: Sequence[str], budget: _Budget) -> list[ChangedLine]:
    lines: list[ChangedLine] = []
    at = to = 0
    for start, now, length in [*_common(before, after, budget), (len(before), len(after), 0)]:
        lines += (ChangedLine("-", n + 1, before[n]) for n in range(at, start))
        lines += (ChangedLine("+", n + 1, after[n]) for n in range(to, now))
        lines += (ChangedLine(" ", n + 1, after[n]) for n in range(now, now + length))
        at, to = start + length, now + length
    return lines


def _common(
    before: Sequence[str], after: Sequence[str], budget: _Budget
) -> list[tuple[int, int, int]]:
    """Return runs of equal lines: where they begin in each file, and their length.

    As ``SequenceMatcher.get_matching_blocks`` finds them, but for a limit of its steps.
    """
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    inner = before[head : len(before) - tail]
    matcher = SequenceMatcher(None, inner, after[head : len(after) - tail])
    places: Mapping[str, list[int]] = matcher.b2j  # type: ignore[attr-defined]  # not in typeshed
    costs = [*accumulate((1 + len(places.get(line, ())) for line in inner), initial=0)]
    runs = [(0, 0, head), (len(before) - tail, len(after) - tail, tail)]
    ranges = [(0, len(inner), 0, len(after) - head - tail)]
    while ranges:
        first, end, to, stop = ranges.pop()
        budget.steps -= costs[end] - costs[first] + 1
        if budget.steps < 0:
            break
        at, now, length = matcher.find_longest_match(first, end, to, stop)
        if length:
            runs.append((head + at, head + now, length))
            ranges += [(first, at, to, now), (at + length, end, now + length, stop)]
    return sorted(run for run in runs if run[2])


def _alike(before: Sequence[str], after: Sequence[str]) -> int:
    pairs = enumerate(zip(before, after, strict=False))
    return next((n for n, (old, new) in pairs if old != new), min(len(before), len(after)))


def _passages(edits: Sequence[ChangedLine], budget: _Budget) -> tuple[list[Passage], bool]:
    changed = (n for n, line in enumerate(edits) if line.sign != " ")
    near = {n for at in changed for n in range(at - AROUND, at + AROUND + 1)}
    passages: list[Passage] = []
    for is_near, numbers in groupby(range(len(edits)), key=near.__contains__):
        of = [edits[n] for n in numbers]
        if budget.lines <= 0:
            return passages, True
        folded = 0 if is_near else len(of)
        shown = () if folded > MAX_FOLDED else tuple(map(_shortened, of[: budget.lines]))
        budget.lines -= len(shown) or 1
        passages.append(Passage(shown, folded))
        if is_near and len(shown) < len(of):
            return passages, True
    return passages, False


def _shortened(line: ChangedLine) -> ChangedLine:
    return ChangedLine(line.sign, line.number, line.text[:MAX_COLUMNS])
