"""Evaluations and their games, for students and staff."""

import re

import pytest

from grader.core.records import Record, from_json
from grader.results.export import EvaluationExport, verify_export
from grader.results.replay import replay
from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, read, signed_in, text_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.pages.evaluations import views
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
STAFF = ASSIGNMENT + "teams/"


def practice_of(submission: Submission) -> Evaluation:
    return submission.evaluations.get(kind="practice")


def test_a_game_is_told_as_text_and_its_record_and_the_export_are_to_keep(
    world: World, practised: Submission
) -> None:
    evaluation, client = practice_of(practised), signed_in(world.ada)
    address = f"/evaluations/{evaluation.uuid}/"
    page = read(client, address + "games/2/")
    assert "turn  action" in page
    assert "seat 1 hints seat 2" in page
    assert "firebox play agent.py --index 2" in page
    assert client.get(address + "games/99/").status_code == 404
    text = client.get(address + "games/2/record/").content
    assert replay(from_json(text, Record)).scores()[0] == evaluation.results.get(index=2).score
    assert b"Ada" not in text
    text = client.get(address + "export/").content
    report = verify_export(from_json(text, EvaluationExport))
    assert report.ok
    assert report.deals_derived
    evaluation = practice_of(practised)
    address = f"/evaluations/{evaluation.uuid}/"
    assert "played twice" not in read(signed_in(world.ida), address)
    Evaluation.objects.filter(pk=evaluation.pk).update(second_plays=2)
    assert "2 games were played twice" in read(signed_in(world.ida), address)
    assert "played twice" not in read(signed_in(world.ada), address)


def test_games_can_be_narrowed_to_faults(world: World) -> None:
    evaluation = practice_of(worlds.submit_and_practise(world, world.ada, faults={3}))
    address = f"/evaluations/{evaluation.uuid}/games/"
    client = signed_in(world.ada)
    assert "Games 0 to 11, of 12 in all" in read(client, address)
    assert "Games that ended with a fault: 1 to 1 of 1" in read(client, address + "?show=faults")


def test_games_are_counted_from_0_on_every_page_of_them(
    world: World, practised: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "GAMES_PER_PAGE", 5)
    address = f"/evaluations/{practice_of(practised).uuid}/games/?page="
    client = signed_in(world.ada)
    assert "Games 5 to 9, of 12 in all" in read(client, address + "2")
    assert "Games 10 to 11, of 12 in all" in read(client, address + "3")


def test_graded_faults_are_only_counted_until_the_secret_is_revealed(
    world: World, practised: Submission
) -> None:
    evaluation = worlds.grade(world, world.ada, faults={1, 2})
    client, address = signed_in(world.ada), f"/evaluations/{evaluation.uuid}/"
    page = read(client, address)
    assert "in 2 games" in page
    assert "would reveal the deals" in page
    assert "The message that it received" not in page
    assert "--secret" not in page
    Assignment.objects.update(secret_revealed_at="2026-01-01T00:00Z")
    page = read(client, address)
    assert "The message that it received" in page
    assert f"--secret {bytes(world.assignment.secret).hex()}" in page


def forms_of(page: str, verb: str) -> list[str]:
    return re.findall(rf'action="(/evaluations/[^"]*/{verb}/)"', page)


@pytest.mark.parametrize("kind", ["smoke", "practice", "graded"])
def test_staff_alone_find_every_failed_evaluation_and_send_it_again(
    kind: str, world: World
) -> None:
    submission = worlds.upload(world, world.ada)
    if kind != "smoke":
        worlds.play(submission.evaluations.get(kind="smoke"))
    if kind == "graded":
        signed_in(world.ida).post(ASSIGNMENT + "grade/")
    evaluation = worlds.fail(submission.evaluations.get(kind=kind))
    client = signed_in(world.cleo)
    own = f"/evaluations/{evaluation.uuid}/"
    for address in (STAFF, own):
        page = read(client, address)
        assert own + "requeue/" in forms_of(page, "requeue"), address
        assert f'href="{own}cancel/?from=' in page, address
        assert "the disk is full" in page
    assert client.get(own).status_code == 200
    assert own in read(client, f"/submissions/{submission.pk}/")
    page = read(signed_in(world.ada), own)
    assert "Our machines failed" in page
    assert "the disk is full" not in page
    assert not forms_of(page, "requeue") + forms_of(page, "cancel")
    (form,) = set(forms_of(read(client, STAFF), "requeue"))
    assert client.post(form, {"from": "staff"})["Location"] == STAFF
    evaluation.refresh_from_db()
    assert evaluation.status == "queued"
    assert "Failed evaluations" not in read(client, STAFF)


def test_a_graded_evaluation_polls_until_staff_and_no_student_cancel_it(
    world: World, practised: Submission
) -> None:
    signed_in(world.ida).post(ASSIGNMENT + "grade/")
    evaluation = Evaluation.objects.get(kind="graded")
    own = f"/evaluations/{evaluation.uuid}/"
    assert "hx-get=" in read(signed_in(world.ada), own + "live/")
    for verb in ("requeue", "cancel"):
        assert signed_in(world.ada).post(f"{own}{verb}/").status_code == 403
    signed_in(world.ida).post(own + "cancel/")
    evaluation.refresh_from_db()
    assert evaluation.status == "cancelled"
    assert "hx-get=" not in read(signed_in(world.ada), own + "live/")


@pytest.mark.parametrize(
    ("visibility", "seen_by"),
    [
        ("hidden", "only staff see it"),
        ("course", "everybody in the course sees it"),
        ("public", "everybody sees it, visitors too"),
    ],
)
def test_a_sentence_says_who_sees_the_leaderboard(
    visibility: str, seen_by: str, world: World
) -> None:
    page = signed_in(world.ida).post(
        ASSIGNMENT + "leaderboard/visibility/", {"visibility": visibility}, follow=True
    )
    assert f"The leaderboard was changed: {seen_by}." in text_of(page)
    assert f"Now <strong>{seen_by}</strong>." in text_of(page)


def test_an_unfinished_evaluation_is_not_exported_and_a_form_leads_back_to_its_page(
    world: World,
) -> None:
    submission = worlds.upload(world, world.ada)
    uuid = submission.evaluations.get().uuid
    response = signed_in(world.ada).get(f"/evaluations/{uuid}/export/", follow=True)
    assert response.status_code == 200
    assert "finished" in text_of(response)
    evaluation = worlds.fail(submission.evaluations.get())
    page = f"/evaluations/{evaluation.uuid}/"
    response = signed_in(world.ida).post(page + "requeue/")
    assert response["Location"] == page
