"""What becomes of a submission after its smoke test.

Rejected: it cannot be built, or it faulted in every game that was played. Otherwise it is ready,
with a warning if some games ended in a fault, for an agent that loses one game in ten is the team's
own business.
"""

from datetime import datetime
from typing import Final

from grader.core.records import BuildReport
from grader.results.evidence import own_line
from webapp.evaluations.models import STOPPED, Evaluation, Kind, Verdict
from webapp.evaluations.services.requests import request_evaluation
from webapp.storable import storable
from webapp.submissions.models import Submission, SubmissionStatus

MAX_MESSAGES: Final = 50
MAX_LOG_CHARACTERS: Final = 20_000
"""Of what building an agent printed, kept for its team."""


def accept_build(submission: Submission, build: BuildReport) -> bool:
    """It compiles, maybe with notes. False if that was known."""
    log = storable(build.log, characters=MAX_LOG_CHARACTERS)
    return submission.advance(SubmissionStatus.CHECKED, notes=_kept(build), build_log=log)


def reject_build(submission: Submission, build: BuildReport) -> bool:
    """It does not compile, for the reasons given. False if it was judged before."""
    log = storable(build.log, characters=MAX_LOG_CHARACTERS)
    return submission.advance(SubmissionStatus.REJECTED, messages=_kept(build), build_log=log)


def _kept(build: BuildReport) -> list[dict[str, str | int]]:
    """The messages as the submission keeps them."""
    return [
        _message(message.file, message.line, message.text, column=message.column)
        for message in build.messages[:MAX_MESSAGES]
    ]


def _message(file: str, line: int, text: str, *, column: int = 0) -> dict[str, str | int]:
    return {
        "file": storable(file, characters=240),
        "line": line,
        "column": column,
        "text": storable(text, characters=1000),
    }


def judge_smoke_test(evaluation: Evaluation, *, at: datetime) -> None:
    """Ready or rejected, by the finished smoke test; a ready one goes on to practise."""
    submission = evaluation.submission
    if submission is None or evaluation.kind != Kind.SMOKE:
        raise ValueError(f"{evaluation} is not the smoke test of a submission")
    submission.advance(SubmissionStatus.CHECKED)  # the report that it compiles may come late
    if not submission.advance(SubmissionStatus.SMOKE_TESTED):
        return
    if evaluation.verdict == Verdict.FAULTY and not _clean_games(evaluation):
        submission.advance(SubmissionStatus.REJECTED, messages=[_every_game(evaluation)])
        return
    submission.advance(SubmissionStatus.READY, warning=_warning(evaluation))
    request_evaluation(kind=Kind.PRACTICE, submission=submission, at=at)


def _clean_games(evaluation: Evaluation) -> int:
    """Number of games that were played to their end."""
    return evaluation.results.filter(fault_kind="").exclude(ending=STOPPED).count()


def _every_game(evaluation: Evaluation) -> dict[str, str | int]:
    first = evaluation.results.exclude(fault_kind="").order_by("index").first()
    detail = "" if first is None else f" The first: {first.fault_detail}"
    many = "Its only game" if evaluation.faults == 1 else f"All {evaluation.faults} games"
    text = f"{many} of the smoke test ended in a fault of the agent.{detail}"
    evidence = None if first is None else first.evidence
    own = None if evidence is None else own_line(evidence.stderr)
    return _message("", 0, text) if own is None else _message(own.file, own.line, text)


def _warning(evaluation: Evaluation) -> str:
    if not evaluation.faults:
        return ""
    played = evaluation.faults + _clean_games(evaluation)
    return (
        f"{evaluation.faults} of {played} games of the smoke test ended in a fault of"
        " the agent. It can play, but each such game scores nothing."
    )
