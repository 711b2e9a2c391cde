"""All counted sources as one archive."""

import csv
import io
from collections.abc import Callable
from zipfile import ZipFile

from tests.webapp.conftest import AGENT, NOW
from webapp.base.artefacts import store
from webapp.grading.similarity.archive import folder_of, submissions_of, zipped
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.services import team_for


def test_each_team_has_a_folder_and_a_row_and_what_is_lost_is_told(
    assignment: Assignment, enrol: Callable[..., object], ready: Callable[..., Submission]
) -> None:
    teams = [team_for(user=enrol(name), assignment=assignment) for name in ("Ada", "Ben")]
    Team.objects.filter(pk=teams[0].pk).update(name="=../Ada/\u202e?")
    kept, lost = (ready(team, at=NOW) for team in teams)
    Submission.objects.filter(pk=lost.pk).update(sha256="0" * 64)
    submissions = submissions_of(assignment)
    data = b"".join(zipped(submissions))
    with ZipFile(io.BytesIO(data)) as files:
        names = [f"{folder_of(submissions[0])}/agent.py", "submissions.csv"]
        assert files.testzip() is None
        assert files.namelist() == names
        assert files.read(names[0]) == AGENT
        rows = list(csv.DictReader(io.StringIO(files.read("submissions.csv").decode("utf-8-sig"))))
    assert ".." not in names[0]
    assert names[0].isascii()
    assert [row["members"] for row in rows] == ["Ada", "Ben"]
    assert rows[0]["team"].startswith("'=")
    assert rows[1]["note"].startswith("missing: ")
    assert store().get(kept.sha256)
