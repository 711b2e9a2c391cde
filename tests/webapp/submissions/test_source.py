"""The lines of an upload that a message is about."""

from collections.abc import Callable

import pytest

from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.source import source_file
from webapp.teaching.courses.models import Team


@pytest.mark.parametrize("character", ["\x0c", "\x0b", "\x85", "\u2028"])
def test_lines_are_counted_as_compilers_count_them(
    team: Team, upload: Callable[..., Submission], character: str
) -> None:
    source = f"# {character}\r\n\rclass Agent:\n    pass"
    submission = upload(team, data=source.encode())
    file = source_file(submission)
    assert file is not None
    assert [line.text for line in file.lines][2:] == ["class Agent:", "    pass"]
