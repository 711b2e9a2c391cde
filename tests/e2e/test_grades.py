"""A grade can be defended: re-played at home, and re-derived from its records."""

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

from grader import house
from grader.cli import main
from grader.core.records import from_json
from grader.results.export import EvaluationExport
from tests.support import world
from tests.support.processes import wait_until
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.evaluations.reproducing import export_json
from webapp.grading.evaluations.services import grade_team
from webapp.grading.gradebook.points import grade_of

pytestmark = [
    pytest.mark.docker,
    pytest.mark.redis,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

GAMES = 24


@dataclass(frozen=True)
class Graded:
    """A graded evaluation that the site had played."""

    export: str
    """The file an instructor downloads of it."""
    secret: str
    mean: float
    points: Decimal


@pytest.fixture(scope="module")
def played() -> list[Graded]:
    """The games, played once for all tests here."""
    return []


@pytest.fixture
def graded(played: list[Graded], request: pytest.FixtureRequest) -> Graded:
    """A graded evaluation of Ada's agent. One that is there already needs no deployment."""
    if not played:
        request.getfixturevalue("deployment")
        played.append(play())
    return played[0]


def play() -> Graded:
    people = world.make(games=GAMES, practice_games=4, audited_games=0)
    submission = world.upload(people, people.ada, filename="a.zip", data=house.bundle("piers"))
    await_finished(submission.evaluations.get())
    team = world.team_of(people, people.ada)
    evaluation = grade_team(team=team, by=people.ida)
    await_finished(evaluation)
    grade = grade_of(team)
    assert grade is not None
    assert evaluation.mean is not None
    secret = bytes(people.assignment.secret).hex()
    return Graded(export_json(evaluation), secret, evaluation.mean, grade.points)


def await_finished(evaluation: Evaluation) -> None:
    def finished() -> bool:
        evaluation.refresh_from_db()
        assert evaluation.status != Status.FAILED, evaluation.system_fault
        return bool(evaluation.status == Status.FINISHED)

    wait_until(finished, seconds=120, why="the evaluation did not finish")


def test_the_command_line_plays_the_sites_graded_games_move_by_move(
    graded: Graded, tmp_path: Path
) -> None:
    again = tmp_path / "again.json"
    command = ["evaluate", "house:piers", "--players", "2", "--games", str(GAMES)]
    assert main([*command, "--secret", graded.secret, "--output", str(again)]) == 0
    site, home = (from_json(text, EvaluationExport) for text in (graded.export, again.read_bytes()))
    assert len(site.results) == GAMES
    assert [result.record.deal_seed for result in site.results] == [
        result.record.deal_seed for result in home.results
    ]
    assert [result.record.actions for result in site.results] == [
        result.record.actions for result in home.results
    ]
    assert site.summary.mean == home.summary.mean == graded.mean


def test_verify_derives_the_grade_from_the_records(
    graded: Graded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "export.json"
    file.write_text(graded.export)
    assert main(["verify", str(file), "--json"]) == 0
    assert float(json.loads(capsys.readouterr().out)["points"]) == float(graded.points)


def test_verify_finds_a_score_that_was_changed(graded: Graded, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    export = json.loads(graded.export)
    export["results"][7]["record"]["scores"] = [25, 25]
    file.write_text(json.dumps(export))
    assert main(["verify", str(file)]) == 1
