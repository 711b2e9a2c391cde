"""A grade can be defended: re-played at home, and re-derived from its records."""

import json
from pathlib import Path

import pytest

from grader import house
from grader.cli import main
from grader.export import EvaluationExport
from grader.records import from_json
from tests.support import world
from tests.support.deployment import Deployment
from tests.support.processes import wait_until
from webapp.evaluations.models import Evaluation, Status
from webapp.evaluations.selectors import export_json
from webapp.evaluations.services import grade_team
from webapp.gradebook.selectors import grade_of

pytestmark = [
    pytest.mark.docker,
    pytest.mark.redis,
    pytest.mark.slow,
    pytest.mark.usefixtures("deployment"),
]

GAMES = 60


@pytest.fixture
def graded(deployment: Deployment, tmp_path: Path) -> tuple[Evaluation, Path]:
    """A graded evaluation that the site had played, and the file an instructor downloads of it."""
    people = world.make(games=GAMES, practice_games=4)
    submission = world.upload(people, people.ada, filename="a.zip", data=house.bundle("piers"))
    smoke = submission.evaluations.get()
    await_finished(smoke)
    evaluation = grade_team(team=world.team_of(people, people.ada), by=people.ida)
    await_finished(evaluation)
    file = tmp_path / "export.json"
    file.write_text(export_json(evaluation))
    return evaluation, file


def await_finished(evaluation: Evaluation) -> None:
    def finished() -> bool:
        evaluation.refresh_from_db()
        assert evaluation.status != Status.FAILED, evaluation.system_fault
        return bool(evaluation.status == Status.FINISHED)

    wait_until(finished, seconds=120, why="the evaluation did not finish")


def test_the_command_line_plays_the_sites_graded_games_move_by_move(
    graded: tuple[Evaluation, Path], tmp_path: Path
) -> None:
    evaluation, file = graded
    again = tmp_path / "again.json"
    secret = bytes(evaluation.assignment.secret).hex()
    command = ["evaluate", "house:piers", "--players", "2", "--games", str(GAMES)]
    assert main([*command, "--secret", secret, "--output", str(again)]) == 0
    site, home = (from_json(path.read_bytes(), EvaluationExport) for path in (file, again))
    assert [result.record.deal_seed for result in site.results] == [
        result.record.deal_seed for result in home.results
    ]
    assert [result.record.actions for result in site.results] == [
        result.record.actions for result in home.results
    ]
    assert site.summary.mean == home.summary.mean == evaluation.mean


def test_verify_derives_the_grade_from_the_records(
    graded: tuple[Evaluation, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    evaluation, file = graded
    assert main(["verify", str(file), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    grade = grade_of(evaluation.submission.team)
    assert grade is not None
    assert float(report["points"]) == float(grade.points)


def test_verify_finds_a_score_that_was_changed(graded: tuple[Evaluation, Path]) -> None:
    _, file = graded
    export = json.loads(file.read_text())
    export["results"][7]["record"]["scores"] = [25, 25]
    file.write_text(json.dumps(export))
    assert main(["verify", str(file)]) == 1
