"""Access to the work of a team, and to its games."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.world import World
from webapp.contests.playing.services import start_game
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, EnrolmentState, Role

pytestmark = pytest.mark.django_db
As = Callable[[User | None], Client]
SIGN_IN = 302
COURSE = "/courses/coop/"
ASSIGNMENT = "/courses/coop/assignments/hanabi/"


def status(client: Client, address: str) -> int:
    return client.get(address).status_code


def statuses(client: Client, addresses: list[str]) -> dict[str, int]:
    return {address: status(client, address) for address in addresses}


def submission_pages(pk: int) -> list[str]:
    return [f"/submissions/{pk}/{rest}" for rest in ("", "live/", "archive/")]


@pytest.mark.slow
def test_a_team_and_staff_see_a_submission_and_nobody_else(
    world: World, practised: Submission, as_user: As
) -> None:
    for address in submission_pages(practised.pk):
        allowed = [status(as_user(user), address) for user in (world.ada, world.cleo, world.ida)]
        refused = [status(as_user(user), address) for user in (world.ben, None)]
        assert allowed == [200, 200, 200], address
        assert refused == [404, SIGN_IN], address


@pytest.mark.parametrize("state", [EnrolmentState.WITHDRAWN, EnrolmentState.REMOVED])
def test_a_person_who_left_a_course_finds_none_of_the_teams_work(
    state: EnrolmentState, world: World, practised: Submission, as_user: As
) -> None:
    """The partners may go on uploading."""
    game = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=["house:piers"])
    practice = practised.evaluations.get(kind="practice").uuid
    pages = submission_pages(practised.pk)
    pages += [f"/evaluations/{practice}/{rest}" for rest in ("", "live/", "games/0/record/")]
    pages += [f"/play/{game.uuid}/", f"/play/{game.uuid}/turns/"]
    assert statuses(as_user(world.ada), pages) == dict.fromkeys(pages, 200)
    world.course.enrolments.filter(user=world.ada).update(state=state)
    assert statuses(as_user(world.ada), pages) == dict.fromkeys(pages, 404)


@pytest.mark.slow
def test_practice_games_are_the_teams_and_the_staffs(
    world: World, practised: Submission, as_user: As
) -> None:
    uuid = practised.evaluations.get(kind="practice").uuid
    for rest in ("", "live/", "watch/next/", "games/", "games/0/", "games/0/record/", "export/"):
        address = f"/evaluations/{uuid}/{rest}"
        assert status(as_user(world.ada), address) == 200, address
        assert status(as_user(world.cleo), address) == 200, address
        assert status(as_user(world.ben), address) == 404, address
        assert status(as_user(None), address) == SIGN_IN, address


@pytest.mark.slow
def test_graded_games_are_closed_to_students_until_the_secret_is_revealed(
    world: World, ada_graded: Evaluation, as_user: As
) -> None:
    uuid = ada_graded.uuid
    for rest in ("games/", "games/0/", "games/0/record/", "export/"):
        assert status(as_user(world.ada), f"/evaluations/{uuid}/{rest}") == 403
        assert status(as_user(world.ida), f"/evaluations/{uuid}/{rest}") == 200
    assert status(as_user(world.ada), f"/evaluations/{uuid}/") == 200


@pytest.mark.slow
def test_a_revealed_secret_opens_no_other_teams_games(
    world: World, ada_graded: Evaluation, as_user: As
) -> None:
    worlds.submit_and_practise(world, world.ben)
    uuid = ada_graded.uuid
    Assignment.objects.update(secret_revealed_at=timezone.now())
    for rest in ("", "live/", "watch/next/", "games/", "games/0/", "games/0/record/", "export/"):
        assert status(as_user(world.ada), f"/evaluations/{uuid}/{rest}") == 200
        assert status(as_user(world.ben), f"/evaluations/{uuid}/{rest}") == 404


@pytest.mark.slow
def test_only_staff_see_the_pages_of_one_student(world: World, as_user: As) -> None:
    place = world.course.enrolments.get(user=world.ada)
    for address in (f"{COURSE}people/{place.pk}/", f"{ASSIGNMENT}dates/{place.pk}/"):
        allowed = [status(as_user(user), address) for user in (world.cleo, world.ida)]
        refused = [status(as_user(user), address) for user in (world.ada, world.ben, None)]
        assert allowed == [200, 200], address
        assert refused == [403, 403, SIGN_IN], address
    world.course.enrolments.filter(user=world.cleo).update(role=Role.GRADER)
    assert status(as_user(world.cleo), f"{COURSE}people/{place.pk}/") == 403


def test_an_upload_of_another_team_cannot_be_chosen(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    address = f"/submissions/{submission.pk}/choose/"
    assert as_user(world.ben).post(address).status_code == 404
    assert as_user(None).post(address).status_code == SIGN_IN
    assert as_user(world.ada).post(address).status_code == 302
