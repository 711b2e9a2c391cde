"""Causes of faults as pages tell them: in a few words, with the line of the source."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Avg

from grader.core.games.outcomes import in_points
from grader.core.records import FaultKind
from grader.results.evidence import forbidden_act
from webapp.grading.evaluations.models import STOPPED, Evaluation
from webapp.grading.evaluations.selectors import FaultSection, fault_sections
from webapp.grading.submissions.source import FaultPlace, fault_place, first_start
from webapp.pages.figures.forecast import points_at
from webapp.pages.text import printable

_LONGEST: Final = 80
"""Characters of a cause in a headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCause:
    """Faults of one kind and cause, and the line that they came from."""

    fault: FaultSection
    words: str
    """A description in a few words: ``KeyError: 'R6'``, ``starts a thread``."""
    place: FaultPlace | None
    """``None`` if the output does not tell it, or where causes are secret."""

    def __str__(self) -> str:
        return printable(f"{self.words}, {self.place}") if self.place else self.words


def causes_of(evaluation: Evaluation, *, sees_games: bool) -> list[FaultCause]:
    """Return the causes of a finished evaluation's faults, the most frequent first.

    By kind alone for readers who may not see single games.
    """
    if evaluation.is_open or not evaluation.faults:
        return []
    faults = fault_sections(evaluation, with_causes=sees_games)
    return [_cause(fault, evaluation, sees_games=sees_games) for fault in faults]


def _cause(fault: FaultSection, evaluation: Evaluation, *, sees_games: bool) -> FaultCause:
    if not sees_games:
        return FaultCause(fault=fault, words=_plain(fault.meaning), place=None)
    submission, evidence = evaluation.submission, fault.first.evidence
    place = fault_place(evidence, submission)
    kind, detail = fault.group.kind, fault.first.fault_detail
    if kind == FaultKind.FORBIDDEN:
        if place is None and submission is not None:
            place = first_start(submission)
        act = "" if evidence is None else forbidden_act(evidence.stderr)
        return FaultCause(fault=fault, words=act or "starts a thread or a process", place=place)
    told = detail.partition(": ")[2] if kind == FaultKind.CRASH else ""
    return FaultCause(fault=fault, words=_plain(told or fault.meaning), place=place)


def _plain(words: str) -> str:
    """Return the words on one line, without a docstring's markup, and not too long."""
    text = printable(" ".join(words.replace("``", "").split()))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def mean_without_faults(evaluation: Evaluation, causes: Sequence[FaultCause]) -> float | None:
    """Return the mean without faulted games; ``None`` if that says nothing. One query."""
    if not causes or evaluation.mean is None:
        return None
    played = evaluation.results.filter(fault_kind="").exclude(ending=STOPPED)
    mean: float | None = played.aggregate(mean=Avg("score"))["mean"]
    return None if mean is None else in_points(mean, evaluation.assignment.rules.unit)


def words_without_faults(evaluation: Evaluation, mean: float) -> str:
    """Return that mean in words, with its points."""
    shown = evaluation.assignment.scheme.mean_in_words(mean)
    points = points_at(evaluation, mean)
    return f"{shown} without the faults" + (f", {points}" if points else "")
