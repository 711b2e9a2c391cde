"""Watching a submission, and understanding its figures."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from tests.webapp.pages.submitting import ASSIGNMENT, page_of
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
POLLS = "hx-get="


def test_a_page_under_way_polls_and_says_where_it_is(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    client = signed_in(world.ada)
    assert POLLS in page_of(client, submission)
    worlds.play(submission.evaluations.get())
    worlds.play(submission.evaluations.get(kind="practice"), upto=5)
    live = page_of(client, submission, "live/")
    assert POLLS in live
    assert "5 of 12 games" in live
    assert '<progress max="12" value="5"' in live


def test_the_verdict_is_said_once_and_practice_can_be_asked_for_again(
    world: World, practised: Submission
) -> None:
    client = signed_in(world.ada)
    assert POLLS not in page_of(client, practised, "live/")
    assert POLLS not in page_of(client, practised)
    response = client.get(f"/submissions/{practised.pk}/live/")
    assert "no-store" in response["Cache-Control"]
    page = page_of(signed_in(world.ada), practised)
    assert "Accepted: all 12 practice games played, no faults" in page
    assert "Finished" in page
    assert 'class="badge' not in page.partition('id="live"')[2]
    run = practised.evaluations.get(kind="practice")
    assert run.mean is not None
    assert run.high is not None
    assert f"{run.mean:.2f} <small>± {run.high - run.mean:.2f}</small>" in page
    assert "Games by score. " in page
    assert "Charged time a turn: median" in page
    client.post(f"/submissions/{practised.pk}/practice/")
    assert practised.evaluations.filter(kind="practice").count() == 2
    page = client.get(f"/submissions/{practised.pk}/practice/")
    assert page.headers["Location"] == f"/submissions/{practised.pk}/"


def test_a_team_may_choose_another_upload_only_where_it_decides(
    world: World, practised: Submission
) -> None:
    client, later = signed_in(world.ada), worlds.submit_and_practise(world, world.ada)
    choice = "Count this submission"
    assert [choice in page_of(client, each) for each in (practised, later)] == [False, False]
    Assignment.objects.update(counts=DeadlineRule.CHOICE)
    assert [choice in page_of(client, each) for each in (practised, later)] == [True, False]


def test_a_rejected_upload_says_why_and_what_counts_instead(world: World) -> None:
    client, first = signed_in(world.ada), worlds.upload(world, world.ada)
    worlds.reject(first.evaluations.get(), text="expected ':'")
    page = page_of(client, first)
    assert POLLS not in page_of(client, first, "live/")
    assert "Rejected: expected &#x27;:&#x27;, agent.py line 4" in page
    assert "It does not count. No submission counts yet." in page
    accepted = worlds.submit_and_practise(world, world.ada)
    later = worlds.upload(world, world.ada)
    worlds.reject(later.evaluations.get(), text="an error\nof two lines")
    page = page_of(client, later)
    assert "Rejected: an error, agent.py line 4" in page
    assert f"Submission {accepted.number} still counts." in page


STEP = re.compile(
    r'<li class="(\w*)" aria-current="step">.*?<strong>(.*?)</strong>\s*<span[^>]*>(.*?)<',
    re.DOTALL,
)


def step_of(page: str) -> tuple[str, ...]:
    (found,) = STEP.findall(page)
    return tuple(found)


def test_the_present_step_is_marked_until_there_is_a_verdict(world: World) -> None:
    client, submission = signed_in(world.ada), worlds.upload(world, world.ada)
    assert step_of(page_of(client, submission))[1] == "Received"
    worlds.play(submission.evaluations.get())
    assert step_of(page_of(client, submission)) == ("busy", "Practice", "12 games")
    worlds.play(submission.evaluations.get(kind="practice"), faults={3})
    assert step_of(page_of(client, submission)) == ("warn", "Verdict", "accepted, with faults")


def test_practice_with_faults_is_no_green_step_of_an_agent_graded_without(world: World) -> None:
    submission = worlds.submit_and_practise(world, world.ada, faults={3})
    worlds.grade(world, world.ada)
    page = page_of(signed_in(world.ada), submission)
    assert "Accepted: all 12 graded games played, no faults" in page
    assert step_of(page) == ("good", "Verdict", "accepted")
    assert ", 1 fault<" in page
    tints = dict(re.findall(r'<li class="(\w*)"[^>]*>.*?<strong>(.*?)</strong>', page, re.DOTALL))
    assert page.count('<li class="warn"') == 1
    assert tints["warn"] == "Practice"
    assert "Watch it fail in practice game 3" in page
    assert "Watch practice game 3" in page


def test_practice_that_failed_on_our_side_is_no_step_done(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get())
    worlds.fail(submission.evaluations.get(kind="practice"))
    page = page_of(signed_in(world.ada), submission)
    assert "Our fault: a grader failed" in page
    assert ">failed on our side<" in page


def test_an_upload_that_fails_in_every_game_says_so_on_top_and_has_no_mean(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get(), faults={0, 1, 2})
    for address in (
        f"/submissions/{submission.pk}/",
        f"/evaluations/{submission.evaluations.get().uuid}/",
    ):
        page = text_of(signed_in(world.ada).get(address))
        assert "Rejected: KeyError" in page
        assert "3 games of the first test ended with a fault. It does not count." in page
        assert "0.00" not in page


def test_versions_are_called_by_the_numbers_of_their_submissions(world: World) -> None:
    worlds.reject(worlds.upload(world, world.ada).evaluations.get())
    worlds.submit_and_practise(world, world.ada)
    latest = worlds.submit_and_practise(world, world.ada)
    page = page_of(signed_in(world.ada), latest)
    assert re.findall(r'class="number[^"]*"[^>]*>(\d+)<', page) == ["2", "3"]
    assert '<span aria-current="page">Submission 3</span>' in page


def test_the_assignments_list_of_submissions_is_live_while_anything_is_played(world: World) -> None:
    live = f'hx-get="{ASSIGNMENT}submissions/"'
    submission = worlds.upload(world, world.ada)
    client = signed_in(world.ada)
    for address in (ASSIGNMENT, ASSIGNMENT + "submissions/"):
        assert live in text_of(client.get(address))
    worlds.play(submission.evaluations.get(kind="smoke"))
    worlds.play(submission.evaluations.get(kind="practice"))
    assert live not in text_of(client.get(ASSIGNMENT + "submissions/"))


def test_a_page_that_polls_without_a_session_is_not_shown_the_sign_in_page(world: World) -> None:
    client = Client()
    polled = client.get(ASSIGNMENT + "submissions/", headers={"HX-Request": "true"})
    assert (polled.status_code, polled.content) == (401, b"")
    assert client.get(ASSIGNMENT).status_code == 302


def test_games_that_cannot_be_played_at_home_are_not_offered(world: World) -> None:
    rejected = worlds.upload(world, world.ada)
    worlds.reject(rejected.evaluations.get())
    assert "Play these games at home" not in page_of(signed_in(world.ada), rejected)
    played = worlds.submit_and_practise(world, world.ada)
    assert "Play these games at home" in page_of(signed_in(world.ada), played)


def test_endings_are_told_in_words(world: World, practised: Submission) -> None:
    practice = practised.evaluations.get(kind="practice")
    practice.results.update(ending="deck_out")
    client = signed_in(world.ada)
    for address in ("", "games/", "games/0/"):
        page = text_of(client.get(f"/evaluations/{practice.uuid}/{address}"))
        assert "deck ran out" in page
        assert "deck_out" not in page


def test_points_are_on_the_pages_of_the_submission_and_of_its_graded_evaluation(
    world: World, practised: Submission
) -> None:
    practice = practised.evaluations.get(kind="practice")
    evaluation = worlds.grade(world, world.ada, agent="piers")
    points = f"<dt>points</dt><dd>{evaluation.grades.get().points.normalize():f}</dd>"
    for user in (world.ada, world.cleo):
        for address in (f"/submissions/{practised.pk}/", f"/evaluations/{evaluation.uuid}/"):
            assert points in text_of(signed_in(user).get(address))
    page = text_of(signed_in(world.ada).get(f"/evaluations/{practice.uuid}/"))
    assert "<dt>points" not in page


def test_points_that_another_evaluation_replaced_are_called_so(
    world: World, practised: Submission
) -> None:
    first = worlds.grade(world, world.ada, agent="outer")
    worlds.grade(world, world.ada, agent="piers")
    page = text_of(signed_in(world.ada).get(f"/evaluations/{first.uuid}/"))
    assert "points, replaced" in page
    assert "These points are not the team’s grade" in page


def test_the_upload_that_the_points_are_of_is_marked_and_uploads_come_first_until_then(
    world: World, practised: Submission
) -> None:
    client = signed_in(world.ada)
    page = text_of(client.get(ASSIGNMENT))
    assert page.index('id="upload"') < page.index('id="history"')
    assert page.count(">counts</span>") == 1
    worlds.grade(world, world.ada)
    later = worlds.submit_and_practise(world, world.ada)
    page = text_of(client.get(ASSIGNMENT))
    assert page.index('id="grade"') < page.index('id="upload"')
    assert "Your points are of submission 1." in page
    first, second = (text_of(client.get(f"/submissions/{pk}/")) for pk in (practised.pk, later.pk))
    for text in (page, first):
        assert ">graded</span>" in text
    for text in (page, second):
        assert ">counts if graded again</span>" in text
        assert ">counts</span>" not in text


def test_the_button_shows_how_much_practice_is_left_today(db: None) -> None:
    world = worlds.make(practice_per_day=1)
    submission = worlds.submit_and_practise(world, world.ada)
    client = signed_in(world.ada)
    assert "1 of 1 left today" in page_of(client, submission)
    client.post(f"/submissions/{submission.pk}/practice/")
    assert "Practise again" not in page_of(client, submission)
    worlds.play(submission.evaluations.filter(kind="practice").latest("pk"))
    page = page_of(client, submission, "live/")
    assert "<button disabled>Practise again</button>" in page
    assert "0 of 1 left today" in page
    address = f"/submissions/{submission.pk}/practice/"
    assert "used its 1 practice evaluation for today" in text_of(client.post(address, follow=True))
    assert "Staff: not limited" in page_of(signed_in(world.ida), submission)


def test_after_the_due_date_the_button_is_closed_where_practice_is(
    world: World, practised: Submission
) -> None:
    type(world.assignment).objects.update(
        opens_at="2020-01-01T00:00Z", due_at="2020-02-01T00:00Z", practice_after_due=False
    )
    assert "Ended at the due date" in page_of(signed_in(world.ada), practised)
    page = text_of(signed_in(world.ada).get(ASSIGNMENT))
    assert "uploads are closed" in page
    assert 'type="file"' not in page


@pytest.mark.parametrize("uploads", [1, 4])
def test_the_assignment_page_takes_the_same_queries_for_any_number_of_uploads(
    uploads: int, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(uploads):
        worlds.upload(world, world.ada)
    client = signed_in(world.ada)
    with django_assert_num_queries(22):
        client.get(ASSIGNMENT)


@pytest.mark.parametrize("faults", [2, 8])
def test_the_live_fragment_takes_the_same_queries_for_any_number_of_faults(
    faults: int, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    submission = worlds.submit_and_practise(world, world.ada, faults=set(range(faults)))
    client = signed_in(world.ada)
    with django_assert_num_queries(28):
        client.get(f"/submissions/{submission.pk}/live/")


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_a_submission_without_a_smoke_test_stops_polling_and_offers_one(
    end: str, world: World
) -> None:
    submission = worlds.upload(world, world.ada)
    evaluation = submission.evaluations.get()
    if end == "failed":
        worlds.fail(evaluation)
    else:
        signed_in(world.ida).post(f"/evaluations/{evaluation.uuid}/cancel/")
    client = signed_in(world.ada)
    for rest in ("", "live/"):
        assert POLLS not in page_of(client, submission, rest)
        assert "Run the first test again" in page_of(client, submission, rest)
    page = text_of(client.post(f"/submissions/{submission.pk}/smoke-test/", follow=True))
    assert "The first test is queued." in page
    assert POLLS in page
    assert "Run the first test again" not in page
