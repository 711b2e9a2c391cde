"""The lines of an upload that a message is about."""

from collections.abc import Callable

import pytest

from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.source import line_of
from webapp.teaching.courses.models import Team


@pytest.mark.parametrize("character", ["\x0c", "\x0b", "\x85", "\u2028"])
def test_lines_are_counted_as_compilers_count_them(
    team: Team, upload: Callable[..., Submission], character: str
) -> None:
    source = f"# {character}\r\n\rclass Agent:\n    pass"
    submission = upload(team, data=source.encode())
    assert line_of(submission, "agent.py", 3) == "class Agent:"
    assert line_of(submission, "agent.py", 4) == "pass"
    assert line_of(submission, "agent.py", 5) == ""
