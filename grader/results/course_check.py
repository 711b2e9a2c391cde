"""Derives the grades in a course file again: games are replayed, points computed from them.

Pure but for the file it is handed. It reads the rows' columns by name and knows no database:
assignments (``secret``, ``commitment``), graded evaluations (their spec, agents and mean), grades
(their scheme and points before any penalty), games (as graders reported them).
"""

import base64
import binascii
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import groupby
from math import isclose
from typing import Any, Final

import msgspec

from grader.core.errors import GraderError, RecordError
from grader.core.games import game_from_options
from grader.core.records import AgentRef, GameResult, from_json
from grader.results.evaluation import MAX_GAMES, EvaluationSpec
from grader.results.export import export_evaluation, verify_export
from grader.results.grading_scheme import GradingScheme
from grader.uploads.course_file import CourseFile

_MAX_RESULT_BYTES: Final = 4 << 20
_CENT: Final = Decimal("0.01")
ASSIGNMENTS: Final = "rows/courses.assignment.jsonl"
EVALUATIONS: Final = "rows/evaluations.evaluation.jsonl"
GRADES: Final = "rows/gradebook.grade.jsonl"
GAMES: Final = "rows/evaluations.gameresult.jsonl"

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseReport:
    """The result of checking a course file."""

    title: str
    rows: int
    games: int
    """Replayed without a discrepancy."""
    grades: int
    """Derived again from their games."""
    without_games: int
    """Grades whose games have been deleted."""
    findings: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """True if no discrepancy was found."""
        return not self.findings


def check_course(file: CourseFile) -> CourseReport:
    """Compare every entry with the manifest, replay graded games, derive grades again.

    Raises RecordError for a file that cannot be read.
    """
    file.check()
    grades = _grades_of(file)
    derived, games, findings, seen = 0, 0, list[str](), set[int]()
    for evaluation, secret, published, results in _graded(file, grades):
        seen.add(evaluation["pk"])
        texts, clean = _check(evaluation, grades[evaluation["pk"]], secret, published, results)
        findings += [f"evaluation {evaluation['pk']}: {text}" for text in texts]
        games += clean
        derived += 0 if texts else len(grades[evaluation["pk"]])
    for key, rows in grades.items():
        findings += [f"evaluation {key}: {text}" for row in rows for text in _after_penalty(row)]
    gone = sum(len(rows) for key, rows in grades.items() if key not in seen)
    return CourseReport(
        title=file.manifest.title,
        rows=sum(entry.rows for entry in file.manifest.files),
        games=games,
        grades=derived,
        without_games=gone,
        findings=tuple(findings),
    )


def _grades_of(file: CourseFile) -> dict[int, list[Row]]:
    grades: dict[int, list[Row]] = {}
    for row in file.rows(GRADES):
        grades.setdefault(_value(row, "evaluation", int), []).append(row)
    return grades


def _graded(
    file: CourseFile, grades: Mapping[int, Sequence[Row]]
) -> Iterator[tuple[Row, bytes, str, list[GameResult]]]:
    assignments = {_value(row, "pk", int): row for row in file.rows(ASSIGNMENTS)}
    evaluations = {
        row["pk"]: row for row in file.rows(EVALUATIONS) if _value(row, "pk", int) in grades
    }
    by_evaluation = groupby(file.rows(GAMES), lambda row: _value(row, "evaluation", int))
    for key, rows in by_evaluation:
        if (evaluation := evaluations.get(key)) is None:
            continue
        assignment = assignments.get(_value(evaluation, "assignment", int))
        if assignment is None:
            raise RecordError(f"evaluation {key} is of no assignment in the file")
        secret = _bytes(_value(assignment, "secret", str))
        results = [_result(_value(row, "packed", str)) for row in rows if row.get("packed")]
        yield evaluation, secret, _value(assignment, "commitment", str), results


def _check(
    evaluation: Row, grades: Sequence[Row], secret: bytes, published: str, results: list[GameResult]
) -> tuple[list[str], int]:
    texts, clean = [], 0
    try:
        export = export_evaluation(
            _spec(evaluation),
            title="",
            secret=secret,
            reveal_secret=True,
            agents=_agents(evaluation),
            results=results,
        )
        report = verify_export(replace(export, commitment=published))
        clean = report.games
        texts += [finding.text for finding in report.findings]
        mean, won = export.summary.mean, export.against.shares if export.against else None
        for grade in grades:
            scheme = from_json(msgspec.json.encode(grade.get("scheme")), GradingScheme)
            points = None if mean is None else scheme.points(mean, won)
            texts += _differences(evaluation, grade, mean, points)
    except (GraderError, ValueError, TypeError, InvalidOperation) as error:
        texts.append(str(error))
    return texts, clean


def _differences(
    evaluation: Row, grade: Row, mean: float | None, points: Decimal | None
) -> Iterator[str]:
    for claimed, whose in ((evaluation.get("mean"), "evaluation"), (grade.get("mean"), "grade")):
        if not isinstance(claimed, int | float) or not isclose(mean or 0.0, claimed, abs_tol=1e-9):
            yield f"its games give a mean of {mean}, its {whose} says {claimed}"
    kept = Decimal(_value(grade, "full_points", str))
    if kept != (points or Decimal(0)):
        yield f"its games give {points} points, its grade says {kept}"


def _after_penalty(grade: Row) -> Iterator[str]:
    columns = ("full_points", "penalty_percent", "points")
    try:
        full, percent, points = (Decimal(_value(grade, name, str)) for name in columns)
        left = (full * (100 - percent) / 100).quantize(_CENT, ROUND_HALF_UP)
        if points != left:
            yield f"{full} points less {percent}% are {left}, its grade says {points}"
    except InvalidOperation:
        yield "its grade has points that are no number"


def _spec(evaluation: Row) -> EvaluationSpec:
    spec = from_json(msgspec.json.encode(evaluation.get("spec")), EvaluationSpec)
    if spec.n_games > MAX_GAMES:  # before any list is as long as that
        raise RecordError(f"it has more than {MAX_GAMES:,} games")
    return replace(spec, options=dict(game_from_options(spec.game, spec.options).options))


def _agents(evaluation: Row) -> tuple[AgentRef, ...]:
    agent = AgentRef(
        interface=_value(evaluation, "interface", str),
        sha256=_value(evaluation, "sha256", str),
        options=tuple(evaluation.get("interface_options") or ()),
    )
    others = from_json(msgspec.json.encode(evaluation.get("opponents")), tuple[AgentRef, ...])
    return (agent, *others)


def _result(packed: str) -> GameResult:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(_bytes(packed), _MAX_RESULT_BYTES + 1)
    except zlib.error as error:
        raise RecordError(f"a game cannot be unpacked: {error}") from error
    if not unpacker.eof:
        raise RecordError("a game is cut off, or too large to be one of ours")
    return from_json(text, GameResult)


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise RecordError(f"a value is no base64: {error}") from error


def _value(row: Row, name: str, kind: type) -> Any:
    value = row.get(name)
    if not isinstance(value, kind):
        raise RecordError(f"a row has no usable {name}")
    return value
