"""The type of each JSON column of a course, and of each text that holds JSON.

An imported value is read as its type, strictly, and stored as that type writes it: what a page or a
periodic task reads later is never what a file merely claimed.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from grader.audit import AuditReport
from grader.core.errors import GraderError, RecordError
from grader.core.records import AgentLimits, AgentRef, Fault, from_json, to_json
from grader.results.evaluation import EvaluationSpec, GradingScheme
from grader.results.figures import Against
from grader.results.insights import Insights
from grader.tournament import CrossPlay, Standings, TournamentSpec
from webapp.contests.playing.models import Occupant, Origin

_Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]
_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class _Message(msgspec.Struct, forbid_unknown_fields=True):
    """A complaint about an upload, or a note on it, as submissions keep it."""

    file: str = ""
    line: _Count = 0
    column: _Count = 0
    text: str = ""


class _TurnTimes(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Charged milliseconds of an agent's turns; empty if it had none."""

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
"""Texts that hold JSON, or are empty."""


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
