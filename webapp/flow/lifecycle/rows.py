"""Converts rows to and from course files: plain JSON values, references by key."""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.dateparse import parse_datetime
from msgspec import Meta

from grader.audit import AuditReport
from grader.core.deals import deal_seed
from grader.core.errors import GraderError, RecordError
from grader.core.records import AgentLimits, AgentRef, Fault, from_json, to_json
from grader.results.evaluation import EvaluationSpec
from grader.results.figures import Against
from grader.results.grading_scheme import GradingScheme
from grader.results.insights import Insights
from grader.tournament import CrossPlay, Standings, TournamentSpec
from webapp.base.timezones import validate_date
from webapp.contests.playing.models import Occupant, Origin
from webapp.flow.lifecycle.tables import ArchiveTable

_Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]
_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class _Message(msgspec.Struct, forbid_unknown_fields=True):
    file: str = ""
    line: _Count = 0
    column: _Count = 0
    text: str = ""


class _TurnTimes(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    median: float | None = None
    p99: float | None = None
    max: float | None = None


_Names = tuple[Annotated[str, Meta(max_length=100)], ...]
_Options = dict[str, bool | _Number | float | Annotated[str, Meta(max_length=100)]]
_Scores = tuple[_Number, ...]

JSON: Final[Mapping[str, Any]] = {
    "courses.course.assistant_rights": _Names,
    "courses.assignment.options": _Options,
    "courses.assignment.opponents": _Names,
    "courses.assignment.interfaces": _Names,
    "courses.assignment.interface_options": _Names,
    "courses.assignment.limits": AgentLimits,
    "courses.assignment.grading": GradingScheme,
    "courses.assignment.board_lines": _Names,
    "submissions.submission.messages": tuple[_Message, ...],
    "submissions.submission.notes": tuple[_Message, ...],
    "evaluations.evaluation.interface_options": _Names,
    "evaluations.evaluation.opponents": tuple[AgentRef, ...],
    "evaluations.evaluation.spec": EvaluationSpec,
    "evaluations.evaluation.against": Against,
    "evaluations.evaluation.histogram": tuple[tuple[_Number, _Count], ...],
    "evaluations.evaluation.turn_ms": _TurnTimes,
    "evaluations.evaluation.insights": Insights,
    "evaluations.gameresult.scores": _Scores,
    "gradebook.grade.scheme": GradingScheme,
    "ladders.ladder.spec": TournamentSpec,
    "ladders.ladderentry.agent": AgentRef,
    "ladders.laddergame.scores": _Scores,
    "playing.humangame.seats": tuple[Occupant, ...],
    "playing.humangame.options": _Options,
    "playing.humangame.limits": AgentLimits,
    "playing.humangame.charged_us": tuple[_Count | None, ...],
    "playing.humangame.fault": Fault,
    "playing.humangame.origin": Origin,
    "tournaments.participant.agent": AgentRef,
    "tournaments.tournament.spec": TournamentSpec,
    "tournaments.tournamentaudit.indices": tuple[_Count, ...],
    "tournaments.tournamentgame.scores": _Scores,
}
"""By table and column. A column without a type cannot be imported."""
TEXTS: Final[Mapping[str, Any]] = {
    "evaluations.audit.report_json": AuditReport,
    "ladders.ladder.standings_json": Standings,
    "tournaments.tournament.standings_json": Standings,
    "tournaments.tournament.cross_play_json": CrossPlay,
    "tournaments.tournamentaudit.report_json": AuditReport,
}


def parsed_json(name: str, value: object) -> Any:
    """Return a value of a JSON column as its type writes it. Raises RecordError."""
    if name not in JSON:
        raise RecordError(f"{name} has no type that this version can read")
    if value is None:
        return None
    return msgspec.json.decode(msgspec.json.encode(_read(msgspec.json.encode(value), JSON[name])))


def parsed_text(name: str, text: str) -> str:
    """Return a text that holds JSON as its type writes it; others as they are."""
    if not text or name not in TEXTS:
        return text
    return to_json(_read(text, TEXTS[name]))


def _read(text: str | bytes, kind: Any) -> Any:
    """Read a value strictly: also what its own checks refuse is a RecordError."""
    try:
        if isinstance(kind, type):
            return from_json(text, kind)
        return msgspec.json.decode(text, type=kind)
    except RecordError:
        raise
    except (GraderError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(str(error)) from error


_AT_ONCE: Final = 2000
_BITS: Final = {"SmallIntegerField": 15, "IntegerField": 31, "BigIntegerField": 63}
"""Sizes of whole numbers in every database; SQLite alone would take larger ones."""
_MAX_TEXT: Final = 4 << 20
"""Characters of a text without a limit of its own."""
_MAX_LINE: Final = 16 << 20
"""Characters of a value in base64, the longest of which are games: those of a line of the file."""
_MAX_VALUE: Final = 64
"""Characters of a time, or of a number that is written as text."""
_KINDS: Final = (
    (models.BooleanField, (bool,)),
    (models.IntegerField, (int,)),
    (models.FloatField, (int, float)),
)


def new_columns(table: ArchiveTable) -> list[Any]:
    """Return columns that get a new random value in each row: unique, and with a random default."""
    return [
        column
        for column in table.columns
        if column.unique and callable(column.default) and not column.is_relation
    ]


def encoded_rows(table: ArchiveTable, rows: "models.QuerySet[Any]") -> Iterator[dict[str, Any]]:
    """Yield rows as JSON values, in the table's order, without holding them all."""
    new = {column.name for column in new_columns(table)}
    columns = [column for column in table.columns if column.name not in new]
    names = ["pk", *(column.attname for column in columns)]
    lists = {field.name: _pairs(field, rows) for field in table.lists}
    for values in rows.order_by(*table.order).values_list(*names).iterator(_AT_ONCE):
        row = {"pk": values[0]}
        for column, value in zip(columns, values[1:], strict=True):
            row[column.name] = encoded(value)
        for name, pairs in lists.items():
            row[name] = pairs.get(values[0], [])
        yield row


def _pairs(field: Any, rows: "models.QuerySet[Any]") -> dict[int, list[int]]:
    through, source, target = (
        field.remote_field.through,
        field.m2m_column_name(),
        field.m2m_reverse_name(),
    )
    links = through.objects.filter(**{f"{source}__in": rows.values("pk")})
    pairs: dict[int, list[int]] = {}
    for key, value in links.order_by("pk").values_list(source, target):
        pairs.setdefault(key, []).append(value)
    return pairs


def as_stored(column: Any, value: Any) -> Any:
    """Return a default as the database gives it back: a decimal with all its places."""
    if isinstance(column, models.DecimalField) and value is not None:
        return Decimal(value).quantize(Decimal(1).scaleb(-column.decimal_places))
    return value


def decoded(column: Any, value: Any) -> Any:
    """Return a column's value. Raises RecordError for one that it cannot have."""
    try:
        plain = _decoded(column, value)
        _check(column, plain)
    except ValidationError as error:
        raise RecordError(f"{column.name} is not valid: {' '.join(error.messages)}") from error
    except RecordError as error:
        raise RecordError(f"{column.name} cannot be read: {error}") from error
    except InvalidOperation as error:
        raise RecordError(f"{column.name} cannot be read: it is not a number") from error
    except (binascii.Error, ValueError, TypeError) as error:
        raise RecordError(f"{column.name} cannot be read: {error}") from error
    return plain


def encoded(value: Any) -> Any:
    """Return a column's value in the form of a course file."""
    if isinstance(value, bytes | memoryview | bytearray):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value) if isinstance(value, Decimal | UUID) else value


def _check(column: Any, value: Any) -> None:
    """Raise ValueError for a value that no form would take, and that a database might."""
    if value is None:
        if not column.null:
            raise ValueError("it is missing")
        return
    kinds = [kinds for field, kinds in _KINDS if isinstance(column, field)]
    if kinds and (not isinstance(value, kinds[0]) or isinstance(value, bool) != (bool in kinds[0])):
        raise ValueError("it is of another type")
    choices = {choice for choice, _ in column.flatchoices}
    if choices and value not in choices | {""}:
        raise ValueError(f"there is no {str(value)[:40]!r}")
    _check_size(column, value)


def _check_size(column: Any, value: Any) -> None:
    kind = column.get_internal_type().removeprefix("Positive")
    if isinstance(value, int) and abs(value) >= 1 << _BITS.get(kind, 63):
        raise ValueError("it is too large")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError("it is not a number")
    most = column.max_length or _MAX_TEXT
    if isinstance(value, str) and len(value) > most:
        raise ValueError(f"it is longer than {most} characters")


def _decoded(column: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column, models.BinaryField):
        data = base64.b64decode(_text(value), validate=True)
        if column.name.endswith("secret"):
            deal_seed(data, 0)  # an unusable one would fail the release of all jobs
        return data
    if isinstance(column, models.DateTimeField):
        moment = parse_datetime(_text(value, most=_MAX_VALUE))
        if moment is None or moment.tzinfo is None:
            raise ValueError("it is not a time with a time zone")
        validate_date(moment)  # of every moment: a page computes with it, and shows it locally
        return moment
    if isinstance(column, models.DecimalField):
        number = Decimal(_text(value, most=_MAX_VALUE))
        if not number.is_finite():  # comparing with it raises
            raise ValueError("it is not a number")
        return number
    name = f"{column.model._meta.label_lower}.{column.name}"
    if isinstance(column, models.JSONField):
        return parsed_json(name, value)
    if isinstance(column, models.CharField | models.TextField):
        return parsed_text(name, _text(value))
    return value


def _text(value: Any, *, most: int = _MAX_LINE) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError("it is not a text that can be stored")
    if len(value) > most:
        raise ValueError(f"it is longer than {most} characters")
    return value


class RowDigest:
    """A digest of a table's rows without keys and references, which differ from site to site."""

    def __init__(self, table: ArchiveTable) -> None:
        new = {column.name for column in new_columns(table)}
        self._columns = [
            column.name
            for column in table.columns
            if not column.is_relation and column.name not in new
        ]
        self._hash, self.rows = hashlib.sha256(), 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row in the form of a course file."""
        values = [row.get(name) for name in self._columns]
        self._hash.update(msgspec.json.encode(values, order="deterministic"))
        self.rows += 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowDigest) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    @property
    def value(self) -> tuple[int, str]:
        return self.rows, self._hash.hexdigest()
