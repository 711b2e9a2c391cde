"""The verdict on a submission after its smoke test.

Rejected: it faulted in every game that was played. Otherwise it is ready, with a warning if some
games ended in a fault, for an agent that loses one game in ten is the team's own business.
"""

from grader.results.evidence import own_line
from webapp.grading.evaluations.models import STOPPED, Evaluation, Kind, Verdict
from webapp.grading.submissions.models import SubmissionStatus
from webapp.grading.submissions.services import message_of


# See webapp/decisions/smoke-test-verdicts.md
def judge_smoke_test(evaluation: Evaluation) -> bool:
    """Ready or rejected, by the finished smoke test; whether this call found it ready."""
    submission = evaluation.submission
    if submission is None or evaluation.kind != Kind.SMOKE:
        raise ValueError(f"{evaluation} is not the smoke test of a submission")
    if evaluation.verdict == Verdict.REJECTED:
        return False
    submission.advance(SubmissionStatus.CHECKED)  # the report that it compiles may come late
    if not submission.advance(SubmissionStatus.SMOKE_TESTED):
        return False
    if evaluation.verdict == Verdict.FAULTY and not _clean_games(evaluation):
        submission.advance(SubmissionStatus.REJECTED, messages=[_every_game(evaluation)])
        return False
    return submission.advance(SubmissionStatus.READY, warning=_warning(evaluation))


def _clean_games(evaluation: Evaluation) -> int:
    return evaluation.results.filter(fault_kind="").exclude(ending=STOPPED).count()


def _every_game(evaluation: Evaluation) -> dict[str, str | int]:
    first = evaluation.results.exclude(fault_kind="").order_by("index").first()
    detail = "" if first is None else f" The first: {first.fault_detail}"
    many = "Its only game" if evaluation.faults == 1 else f"All {evaluation.faults} games"
    text = f"{many} of the first test ended with a fault of the agent.{detail}"
    evidence = None if first is None else first.evidence
    own = None if evidence is None else own_line(evidence.stderr)
    return message_of("", 0, text) if own is None else message_of(own.file, own.line, text)


def _warning(evaluation: Evaluation) -> str:
    if not evaluation.faults:
        return ""
    played = evaluation.faults + _clean_games(evaluation)
    return (
        f"{evaluation.faults} of {played} games of the first test ended with a fault of"
        " the agent. The agent can play, but each such game gets the worst possible score."
    )
