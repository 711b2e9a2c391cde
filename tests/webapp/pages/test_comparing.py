"""Two agents on the same deals: on a submission's page, and any two that one may see."""

import re

import pytest
from django.test import Client

from tests.support import opponents
from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ADDRESS = "/courses/coop/assignments/hanabi/compare/"


def practised(world: World, user: User, agent: str, **how: object) -> Submission:
    return worlds.submit_and_practise(world, user, agent=agent, **how)  # type: ignore[arg-type]


def practice_of(submission: Submission) -> Evaluation:
    return submission.evaluations.get(kind="practice")


def read(client: Client, a: Evaluation, b: Evaluation) -> str:
    return text_of(client.get(ADDRESS, {"a": str(a.uuid), "b": str(b.uuid)}))


def test_a_submission_is_compared_with_the_version_before_if_there_is_one(world: World) -> None:
    first = practised(world, world.ada, "iggi")
    second = practised(world, world.ada, "convention")
    page = text_of(signed_in(world.ada).get(f"/submissions/{second.pk}/"))
    assert re.search(
        r">\d+\.\d\d ± \d+\.\d\d points better than</strong> <a [^>]*>submission 1</a>\.", page
    )
    page = text_of(signed_in(world.ada).get(f"/submissions/{first.pk}/"))
    assert "Compared with" not in page


@pytest.mark.slow
def test_against_opponents_games_won_are_compared(db: None) -> None:
    world = opponents.make(games=8)
    for agent in ("hearts/low_card", "hearts/guarded"):
        data = opponents.SOURCE + f"# {agent}\n".encode()
        last = worlds.submit_and_practise(world, world.ada, agent=agent, data=data)
    page = text_of(signed_in(world.ada).get(f"/submissions/{last.pk}/"))
    said = re.search(r">(\d+\.\d%) ± \d+\.\d% more games won than<", page)
    assert said is not None
    won = [
        each.won
        for each in Evaluation.objects.filter(kind="practice").order_by("pk")
        if each.won is not None
    ]
    assert said[1] == f"{100 * (won[1] - won[0]):.1f}%"


def test_the_version_before_is_the_latest_that_was_played(world: World) -> None:
    practised(world, world.ada, "iggi")
    worlds.upload(world, world.ada)
    third = practised(world, world.ada, "iggi")
    page = text_of(signed_in(world.ada).get(f"/submissions/{third.pk}/"))
    assert "The same in all 12 games as</strong> <a" in page
    assert "submission 1</a>." in page
    assert "0.00 ± 0.00" not in page


def test_students_choose_among_their_own_and_staff_among_all(world: World) -> None:
    first = practice_of(practised(world, world.ada, "iggi"))
    other = practice_of(practised(world, world.ben, "piers"))
    page = read(signed_in(world.ada), first, other)
    assert "Choose one from this list" in page
    assert str(other.uuid) not in page
    assert "sign test" not in page
    assert "sign test" in read(signed_in(world.ida), first, other)


def test_games_in_which_graded_agents_differ_are_named_to_staff_alone(world: World) -> None:
    graded = []
    for agent in ("iggi", "convention"):
        practised(world, world.ada, agent)
        graded.append(worlds.grade(world, world.ada, agent=agent))
    named = "Games in which they differ most"
    assert named in read(signed_in(world.ida), *graded)
    page = read(signed_in(world.ada), *graded)
    assert "sign test" in page
    assert named not in page, "they are on secret deals"


def test_only_evaluations_on_the_same_deals_are_offered_and_compared(world: World) -> None:
    submission = practised(world, world.ada, "iggi")
    graded = worlds.grade(world, world.ada)
    page = read(signed_in(world.ida), practice_of(submission), graded)
    assert "did not play the same deals" in page
    practice, other = practice_of(submission), practice_of(practised(world, world.ben, "piers"))
    page = text_of(signed_in(world.ida).get(ADDRESS, {"a": str(practice.uuid)}))
    _, _, second = page.partition('id="id_b"')
    assert str(other.uuid) in second
    assert str(practice.uuid) not in second
    assert str(graded.uuid) not in second
    assert f"{practice.agent_name}, practice: {practice.mean:.2f}" in page
    assert f"{graded.agent_name}, graded: {graded.mean:.2f}" in page


def test_a_page_compares_any_two_and_says_what_it_waits_for_before(world: World) -> None:
    page = text_of(signed_in(world.ida).get(ADDRESS))
    assert "Nothing to compare yet" in page
    assert "<select" not in page
    first = practice_of(practised(world, world.ada, "iggi"))
    second = practice_of(practised(world, world.ada, "convention"))
    page = read(signed_in(world.ada), second, first)
    assert "#2 over" in page
    assert "sign test" in page
    assert "<dd>12</dd>" in page, "common deals"
