"""The status of a submission once a grader has built it, or could not."""

from typing import Final

from grader.core.records import BuildReport
from webapp.base.storable import storable
from webapp.grading.submissions.models import Submission, SubmissionStatus

MAX_MESSAGES: Final = 50
MAX_LOG_CHARACTERS: Final = 20_000


def accept_build(submission: Submission, build: BuildReport) -> bool:
    """Advance a submission that compiles, with its notes; return False if it was judged before."""
    log = storable(build.log, characters=MAX_LOG_CHARACTERS)
    notes = [*submission.notes, *messages_of(build)]
    return submission.advance(SubmissionStatus.CHECKED, notes=notes, build_log=log)


def reject_build(submission: Submission, build: BuildReport) -> bool:
    """Reject a submission that does not compile; return False if it was judged before."""
    log = storable(build.log, characters=MAX_LOG_CHARACTERS)
    return submission.advance(SubmissionStatus.REJECTED, messages=messages_of(build), build_log=log)


def messages_of(build: BuildReport) -> list[dict[str, str | int]]:
    """Return a build's messages as they are kept: as many as people read, and bounded."""
    return [
        message_of(message.file, message.line, message.text, column=message.column)
        for message in build.messages[:MAX_MESSAGES]
    ]


def message_of(file: str, line: int, text: str, *, column: int = 0) -> dict[str, str | int]:
    """Return a message as the submission keeps it; line 0 is the whole file."""
    return {
        "file": storable(file, characters=240),
        "line": line,
        "column": column,
        "text": storable(text, characters=1000),
    }
