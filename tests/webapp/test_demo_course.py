"""The demo's course, as `make demo-course` wrote it: sound games, and pages to look at."""

import importlib
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from grader.cli.main import main
from tests.support.crawling import crawl
from tests.support.pages import signed_in, text_of
from tests.support.templates import copy_of
from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.services import resume_ladder
from webapp.contests.leaderboards.selectors import standings
from webapp.contests.tournaments.models import Tournament
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import RegradeRequest
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.runtime.management.commands.demo_course import unpack
from webapp.teaching.courses.models import Assignment, Course, Extension

pytestmark = pytest.mark.slow

FILE = Path("deploy/dev/demo-course.zip")
AGAIN = "make it again: make demo-course"


def imported() -> None:
    call_command("demo_course", FILE, stdout=StringIO())


def test_every_grade_of_the_course_follows_from_its_games(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert FILE.stat().st_size <= 5 << 20
    exported = tmp_path / "course.zip"
    with exported.open("wb") as file:
        unpack(FILE, file)
    assert main(["verify", str(exported)]) == 0, (capsys.readouterr().out, AGAIN)


def test_the_course_is_in_its_second_week(db: None) -> None:
    copy_of(imported)
    now, course = timezone.now(), Course.objects.get()
    assert course.archived_at is None
    assert timedelta(days=7) < now - course.created_at < timedelta(days=14)
    first, second, third = (
        course.assignments.get(slug=slug) for slug in ("warm-up", "cooperative-agent", "hearts")
    )
    assert first.due_at < now < second.due_at < third.due_at
    assert Submission.objects.latest("uploaded_at").uploaded_at < now
    assert Evaluation.objects.latest("finished_at").finished_at < now
    assert Submission.objects.filter(
        team__assignment=first, uploaded_at__gt=first.due_at
    ).count() == len({"Late Checkout", "Half a Plan"})
    assert second.teams.count() == 24
    assert second.teams.filter(submissions__status="ready").distinct().count() == 22
    board = standings(second, course.enrolments.get(role="instructor").user)
    assert board.n_teams == 20  # two teams have uploaded since
    assert {row.n_games for row in board.rows} == {1000}
    assert any(row.faults for row in board.rows)
    assert board.rows[0].mean > 18 > 5 > board.rows[-1].mean
    assert RegradeRequest.objects.get(outcome="open").assignment == first
    assert Extension.objects.get().assignment == second
    assert Tournament.objects.get().status == "finished"


def test_everybody_finds_every_page_of_the_course_open(db: None) -> None:
    copy_of(imported)
    course = Course.objects.get()
    pages = [f"/courses/demo/assignments/{each.slug}/" for each in course.assignments.all()]
    boards = [f"{page}leaderboard/" for page in pages]
    for name in ("ada", "ida"):
        client = signed_in(User.objects.get(email=f"{name}@demo.example"))
        starts = ["/courses/demo/", *pages, *(f"{page}ladder/" for page in pages[1:2])]
        statuses = crawl(client, starts, of_a_kind=2)
        assert set(statuses.values()) <= {200, 302}, statuses
        assert any("/tournaments/" in address for address in statuses)
        assert any("/games/" in address for address in statuses)
    for board in boards:
        assert "Ada" not in text_of(Client().get(board))


def test_the_ladder_goes_on_with_the_house_agents_of_this_version(db: None) -> None:
    copy_of(imported)
    ladder = Ladder.objects.get()
    assert ladder.is_open
    assert ladder.paused_at is not None
    resume_ladder(ladder=ladder, by=User.objects.get(email="ida@demo.example"))
    ladder.refresh_from_db()
    assert ladder.paused_at is None
    assert ladder.jobs.open().exists()


def test_importing_it_again_changes_nothing(db: None) -> None:
    copy_of(imported)
    before = (Course.objects.count(), User.objects.count(), Assignment.objects.count())
    out = StringIO()
    call_command("demo_course", FILE, stdout=out)
    assert (Course.objects.count(), User.objects.count(), Assignment.objects.count()) == before
    assert "ada@demo.example  play-hanabi-together" in out.getvalue()
    assert User.objects.get(email="ada@demo.example").check_password("play-hanabi-together")


def test_its_story_can_be_begun_again(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend("deploy/dev")
    furnish = importlib.import_module("furnish")
    furnish.Story(games=1).begin()
    assert Assignment.objects.filter(course__title="Firebox demo").count() == 3
