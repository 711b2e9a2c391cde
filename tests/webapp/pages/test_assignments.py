"""Assignments and their teams: pages and forms."""

import io
import zipfile

import pytest
from django.test import Client

from grader.house.catalogue import AGENTS
from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, COURSE, signed_in, text_of
from tests.support.world import World
from tests.webapp.pages.assignment_form import FORM
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, Course

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def post(client: Client, address: str, **changes: str) -> str:
    return text_of(client.post(address, {**FORM, **changes}, follow=True))


def test_an_assignment_is_created_from_simple_fields_and_edited_alone_where_changed(
    world: World,
) -> None:
    post(signed_in(world.ida), COURSE + "new-assignment/", option_lives="2", option_swaps="no")
    made = Assignment.objects.get(slug="second")
    assert made.options == {"variant": "gcc", "players": 2, "lives": 2, "swaps": False}
    assert [str(step.points) for step in made.scheme.thresholds] == ["50", "70"]
    assert made.rules.options["hint_tokens"] == 8
    due = Assignment.objects.get(slug="second").due_at
    assert due.isoformat() == "2030-07-01T16:30:00+00:00"
    page = text_of(signed_in(world.ida).get(COURSE + "assignments/second/edit/"))
    assert 'value="2030-07-01T18:30"' in page
    client = signed_in(world.ida)
    before = Assignment.objects.get(slug="second")
    post(
        client,
        COURSE + "assignments/second/edit/",
        title="Third",
        option_lives="2",
        option_swaps="no",
    )
    after = Assignment.objects.get(slug="second")
    assert after.title == "Third"
    assert (after.grading, after.limits, after.options) == (
        before.grading,
        before.limits,
        before.options,
    )


REFUSED = [
    ("players", "5", "players"),
    ("option_lives", "0", "lives"),
    ("option_colors", "RYGWX", "colors"),
    ("thresholds", "ten: 50", "does not have the form 10: 50"),
    ("thresholds", "20: 120", "thresholds must rise"),
    ("memory_mib", "999999", "this site allows"),
    ("due_at", "2020-01-01T00:00", "later than the opening"),
    ("n_games", "100000000", "this site plays at most"),
    ("smoke_games", "100000000", "this site plays at most"),
    ("full_mean", "30", "the best score of this game is 25"),
    ("thresholds", "26: 50", "the best score of this game is 25"),
    ("slug", "no blanks", "Use only letters, digits, hyphens and underscores."),
    ("slug", "hanabi", "Another assignment of this course has this short name."),
    ("interpolation", "nonsense", "Select a valid choice"),
]


def test_impossible_settings_are_refused_with_the_reason(world: World) -> None:
    ida = signed_in(world.ida)
    for field, value, said in REFUSED:
        page = post(ida, COURSE + "new-assignment/", **{field: value})
        assert not Assignment.objects.filter(slug="second").exists(), (field, value)
        assert "Not saved." in page, (field, value)
        assert said in page, (field, value)


def test_all_errors_are_reported_at_once(world: World) -> None:
    page = post(
        signed_in(world.ida),
        COURSE + "new-assignment/",
        title="",
        slug="hanabi",
        due_at="2020-01-01T00:00",
        memory_mib="999999",
        practice_games="100000000",
        full_mean="30",
        option_lives="0",
        option_colors="RYGWX",
    )
    for said in (
        "This field is required.",
        "Another assignment of this course",
        "later than the opening",
        "memory mib: this site allows",
        "100000000 games",
        "lives",
        "colors",
    ):
        assert said in page
    assert page.count('class="errorlist"') == 7


def test_the_zones_on_offer_are_those_in_use_and_a_course_keeps_an_old_one(world: World) -> None:
    page = text_of(signed_in(world.ida).get("/new-course/"))
    for name in ("UTC", "Europe/Oslo", "Asia/Kolkata"):
        assert f'value="{name}"' in page
    for name in ("US/Eastern", "Asia/Calcutta", "Etc/GMT+5", "SystemV/PST8"):
        assert f'value="{name}"' not in page
    Course.objects.update(timezone="US/Eastern")
    page = text_of(signed_in(world.ida).get(COURSE + "edit/"))
    assert '<option value="US/Eastern" selected>' in page


def test_rules_are_frozen_once_games_were_graded(world: World, ada_graded: Evaluation) -> None:
    page = post(signed_in(world.ida), ASSIGNMENT + "edit/", slug="hanabi", variant="uwa", title="")
    assert "Graded games have been played" in page
    assert "This field is required." in page


def test_another_scheme_is_warned_of_with_its_effect(world: World) -> None:
    client = signed_in(world.ida)
    form = text_of(client.get(ASSIGNMENT + "edit/"))
    assert "recomputed from their means" not in form
    worlds.submit_and_practise(world, world.ada)
    worlds.grade(world, world.ada)
    form = text_of(client.get(ASSIGNMENT + "edit/"))
    assert "recomputed from their means" in form
    frozen = {"slug": "hanabi", "variant": "standard", "n_games": "12"}
    changed = {**frozen, "full_mean": "2.5", "bonus_points": "7", "thresholds": ""}
    before = Grade.objects.get().points
    page = post(client, ASSIGNMENT + "edit/", **changed)
    assert "Nothing has been saved yet." in page
    assert "1 team with changed points" in page
    assert "Say why" in post(client, ASSIGNMENT + "edit/", **changed, scheme_reason=" ")
    assert Grade.objects.get().points == before
    back = client.post(ASSIGNMENT + "edit/", {**FORM, **changed, "scheme_back": "1"})
    assert 'name="full_mean" value="2.5"' in back.content.decode()
    page = post(client, ASSIGNMENT + "edit/", **changed, scheme_reason="It was too hard.")
    assert "The points of 1 team were recomputed." in page
    mine = text_of(signed_in(world.ada).get(ASSIGNMENT + "my-grade/"))
    assert "changed by Ida Rhodes: It was too hard." in mine
    grades = text_of(client.get(ASSIGNMENT + "grades/"))
    assert "1 earlier" in grades
    assert "changed by Ida Rhodes" in grades


def test_the_assignment_page_has_all_a_student_needs(world: World) -> None:
    page = text_of(signed_in(world.ada).get(ASSIGNMENT))
    for needed in (
        "Write an agent that plays Hanabi with itself.",
        'enctype="multipart/form-data"',
        'accept=".py,.zip"',
        "20 of 20 uploads left today",
        "Download the starter kit",
        "Nothing uploaded yet",
        world.assignment.commitment,
        "100 points for a mean of at least 15",
        "1 s charged",
        "256 MiB",
    ):
        assert needed in page
    response = signed_in(world.ada).get(ASSIGNMENT + "starter-kit/")
    with zipfile.ZipFile(io.BytesIO(response.content)) as kit:
        assert "hanabi/agent.py" in kit.namelist()
    assert response["Content-Disposition"].endswith('filename="coop-hanabi-starter.zip"')
    pages = [
        text_of(signed_in(user).get(ASSIGNMENT)) for user in (world.ida, world.cleo, world.ada)
    ]
    assert [ASSIGNMENT + "edit/" in page for page in pages] == [True, False, False]


def test_the_status_of_submissions_is_shown_on_narrow_pages_too(
    world: World, practised: Submission
) -> None:
    page = text_of(signed_in(world.ada).get("/courses/coop/assignments/hanabi/"))
    assert '<td data-label="Verdict">' in page
    assert '<td class="nowrap" data-label="Uploaded">' in page


def test_a_partner_joins_with_the_teams_code_and_renames_the_team(world: World) -> None:
    signed_in(world.ada).post(ASSIGNMENT + "team/")
    code, ben = worlds.team_of(world, world.ada).join_code, signed_in(world.ben)
    page = ben.post(ASSIGNMENT + "team/join/", {"join_code": "NO"}, follow=True)
    assert "No team of this assignment has this code" in text_of(page)
    page = ben.post(ASSIGNMENT + "team/join/", {"join_code": code}, follow=True)
    assert "You are in your partner" in text_of(page)
    assert "Ada Lovelace, Ben Okri" in text_of(page)
    page = ben.post(ASSIGNMENT + "team/rename/", {"name": "Twins"}, follow=True)
    assert "Twins" in text_of(page)


def test_house_agents_means_are_beside_the_mean_for_full_points(world: World) -> None:
    client = signed_in(world.ida)
    for address in (COURSE + "new-assignment/", ASSIGNMENT + "edit/"):
        page = text_of(client.get(address))
        beside = page.partition('id="id_full_mean_helptext"')[2].partition("</div>")[0]
        assert "of 2 players, by the standard rules" in beside
        assert f"Piers {AGENTS['piers'].means[2]:.2f}" in beside
        assert f'<td class="n">{AGENTS["information"].means[4]:.2f}</td>' in page
