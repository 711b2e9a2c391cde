"""Courses, assignments, teams: pages and forms."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from grader.house.catalogue import AGENTS
from tests.support import world as worlds
from tests.support.pages import text_of
from tests.support.world import World
from webapp.accounts.models import User
from webapp.auditlog.models import Act
from webapp.courses.models import Assignment, Course, Enrolment, Role
from webapp.evaluations.services import request_house
from webapp.gradebook.models import Grade
from webapp.submissions.models import Submission

pytestmark = pytest.mark.django_db

As = Callable[[User | None], Client]
COURSE = "/courses/coop/"
ASSIGNMENT = "/courses/coop/assignments/hanabi/"
FORM: dict[str, Any] = {
    "game": "hanabi",
    "title": "Second",
    "slug": "second",
    "description": "",
    "opens_at": "2026-01-01T08:00",
    "due_at": "2030-07-01T18:30",
    "practice_after_due": "on",
    "play_with": "own",
    "interfaces": ["python"],
    "mode": "",
    "variant": "gcc",
    "players": "2",
    "turn_seconds": "1",
    "turn_wall_seconds": "3",
    "start_seconds": "5",
    "memory_mib": "256",
    "n_games": "1000",
    "practice_games": "100",
    "smoke_games": "10",
    "max_consecutive_faults": "20",
    "audited_games": "10",
    "full_mean": "15",
    "full_points": "100",
    "bonus_points": "1",
    "max_bonus_points": "",
    "thresholds": "10: 50\n12: 70",
    "interpolation": "step",
    "max_team_size": "2",
    "uploads_per_day": "20",
    "practice_per_day": "10",
    "leaderboard": "course",
}


def post(client: Client, address: str, **changes: str) -> str:
    return text_of(client.post(address, {**FORM, **changes}, follow=True))


def test_home_says_what_to_do_next_to_somebody_without_courses(db: None, as_user: As) -> None:
    page = text_of(as_user(worlds.person("Dora Stranger")).get("/"))
    assert "You are in no course yet" in page
    assert 'name="invite_code"' in page


def test_home_shows_courses_due_dates_and_how_my_team_stands(
    world: World, practised: Submission, as_user: As
) -> None:
    page = text_of(as_user(world.ada).get("/"))
    assert "Cooperative agents" in page
    assert "in 9 days" in page or "in 8 days" in page
    assert ">Submission 1</a>" in page
    assert "Practice:" in page


@pytest.mark.slow
def test_points_and_mean_on_the_course_page_are_of_the_submission_named_there(
    world: World, practised: Submission, as_user: As
) -> None:
    grade = worlds.grade(world, world.ada, agent="piers")
    worlds.submit_and_practise(world, world.ada)
    page = text_of(as_user(world.ada).get(COURSE))
    points = grade.grades.get().points.normalize()
    figures, latest = page.partition(f"{points:f} points</strong>")[2].split("Latest:")
    assert f"{grade.mean:.2f}" in figures
    assert "submission 1</a>" in figures
    assert "submission 2</a>" in latest


def test_an_instructor_creates_a_course(db: None, as_user: As) -> None:
    ida = worlds.person("Ida Rhodes", may_create_courses=True)
    data = {"title": "New", "slug": "new", "term": "", "timezone": "Europe/Paris", "places": "90",
            "leaderboard_default": "hidden"}  # fmt: skip
    response = as_user(ida).post("/new-course/", data)
    assert response.status_code == 302
    assert Course.objects.get(slug="new").timezone == "Europe/Paris"


def test_students_cannot_create_courses(world: World, as_user: As) -> None:
    data = {"title": "New", "slug": "new", "timezone": "UTC", "places": "90",
            "leaderboard_default": "hidden"}  # fmt: skip
    assert as_user(world.ada).post("/new-course/", data).status_code == 403
    assert as_user(world.ada).get("/new-course/").status_code == 403


def test_a_taken_short_name_is_refused_beside_its_field(world: World, as_user: As) -> None:
    data = {"title": "New", "slug": "coop", "timezone": "UTC", "places": "90",
            "leaderboard_default": "hidden"}  # fmt: skip
    page = text_of(as_user(world.ida).post("/new-course/", data))
    assert "Another course has this short name." in page


def test_a_course_is_edited(world: World, as_user: As) -> None:
    data = {"title": "Renamed", "slug": "coop", "timezone": "UTC", "places": "90",
            "leaderboard_default": "hidden"}  # fmt: skip
    as_user(world.ida).post(COURSE + "edit/", data)
    world.course.refresh_from_db()
    assert world.course.title == "Renamed"


def test_a_new_invite_code_replaces_the_old_one(world: World, as_user: As) -> None:
    old = world.course.invite_code
    as_user(world.ida).post(COURSE + "invite-code/")
    assert old not in text_of(as_user(world.ida).get(COURSE))


def test_students_do_not_see_the_invite_code(world: World, as_user: As) -> None:
    assert world.course.invite_code not in text_of(as_user(world.ada).get(COURSE))


def test_an_instructor_makes_an_assistant(world: World, as_user: As) -> None:
    place = world.course.enrolments.get(user=world.ben)
    client, address = as_user(world.ida), f"{COURSE}people/{place.pk}/role/"
    page = text_of(client.post(address, {"role": "assistant"}, follow=True))
    assert "Give a reason, so that everybody can understand it later." in page
    page = text_of(client.post(address, {"role": "assistant", "reason": "Helps"}, follow=True))
    assert "The role of Ben Okri was changed." in page
    place.refresh_from_db()
    assert place.role == Role.ASSISTANT
    assert Act.objects.filter(kind="people.role")[0].reason == "Helps"


def test_an_instructor_puts_people_into_sections(world: World, as_user: As) -> None:
    client = as_user(world.ida)
    assert "no section" not in text_of(client.get(COURSE + "people/"))
    page = text_of(client.post(COURSE + "sections/", {"name": "Tuesday"}, follow=True))
    assert "Section created." in page
    place = world.course.enrolments.get(user=world.ben)
    section = str(world.course.sections.get().pk)
    client.post(f"{COURSE}people/{place.pk}/section/", {"section": section})
    assert "Tuesday" in text_of(client.get(ASSIGNMENT + "grades/"))
    page = text_of(client.post(COURSE + "sections/", {"name": "Tuesday"}, follow=True))
    assert "already exists" in page


@pytest.mark.parametrize("odd", ["9" * 5000, "9" * 30, "-1", "x", "1; DROP", "\u0663"])
def test_a_choice_that_is_no_id_is_not_found(odd: str, world: World, as_user: As) -> None:
    place = world.course.enrolments.get(user=world.ben)
    section = f"{COURSE}people/{place.pk}/section/"
    assert as_user(world.ada).post(section, {"section": odd}).status_code == 403
    ida = as_user(world.ida)
    assert ida.post(section, {"section": odd}).status_code == 404
    assert ida.post(ASSIGNMENT + "grade/", {"team": odd}).status_code == 404
    assert ida.get(ASSIGNMENT + "grade/confirm/", {"team": odd}).status_code == 404
    assert not world.assignment.evaluations.exists()


@pytest.mark.slow
def test_staff_move_a_student_to_another_team(world: World, as_user: As) -> None:
    worlds.upload(world, world.ada)
    team = worlds.team_of(world, world.ada)
    worlds.upload(world, world.ben)
    data = {"student": str(world.ben.pk), "team": str(team.pk)}
    address = ASSIGNMENT + "teams/move/"
    assert as_user(world.ada).post(address, data).status_code == 403
    assert as_user(world.cleo).post(address, {"student": "x"}).status_code == 404
    page = text_of(as_user(world.cleo).post(address, data, follow=True))
    assert "Ben Okri is now in Ada Lovelace." in page
    assert set(team.users.all()) == {world.ada, world.ben}


def test_students_cannot_make_themselves_assistants(world: World, as_user: As) -> None:
    place = world.course.enrolments.get(user=world.ada)
    address = f"{COURSE}people/{place.pk}/role/"
    assert as_user(world.ada).post(address, {"role": "assistant"}).status_code == 403


def test_an_assignment_is_created_from_simple_fields(world: World, as_user: As) -> None:
    post(as_user(world.ida), COURSE + "new-assignment/", option_lives="2", option_swaps="no")
    made = Assignment.objects.get(slug="second")
    assert made.options == {"variant": "gcc", "players": 2, "lives": 2, "swaps": False}
    assert [str(step.points) for step in made.scheme.thresholds] == ["50", "70"]
    assert made.rules.options["hint_tokens"] == 8


@pytest.mark.slow
def test_times_are_those_of_the_course(world: World, as_user: As) -> None:
    post(as_user(world.ida), COURSE + "new-assignment/")
    due = Assignment.objects.get(slug="second").due_at
    assert due.isoformat() == "2030-07-01T16:30:00+00:00"
    page = text_of(as_user(world.ida).get(COURSE + "assignments/second/edit/"))
    assert 'value="2030-07-01T18:30"' in page


REFUSED = [
    ("players", "5", "players"),
    ("option_lives", "0", "lives"),
    ("option_colors", "RYGWX", "colors"),
    ("thresholds", "ten: 50", "is not like 10: 50"),
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


@pytest.mark.slow
def test_what_cannot_be_is_refused_with_the_reason(world: World, as_user: As) -> None:
    ida = as_user(world.ida)
    for field, value, said in REFUSED:
        page = post(ida, COURSE + "new-assignment/", **{field: value})
        assert not Assignment.objects.filter(slug="second").exists(), (field, value)
        assert "Not saved." in page, (field, value)
        assert said in page, (field, value)


def test_all_that_is_wrong_is_said_at_once(world: World, as_user: As) -> None:
    page = post(
        as_user(world.ida),
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


@pytest.mark.slow
def test_the_zones_on_offer_are_those_in_use_and_a_course_keeps_an_old_one(
    world: World, as_user: As
) -> None:
    page = text_of(as_user(world.ida).get("/new-course/"))
    for name in ("UTC", "Europe/Oslo", "Asia/Kolkata"):
        assert f'value="{name}"' in page
    for name in ("US/Eastern", "Asia/Calcutta", "Etc/GMT+5", "SystemV/PST8"):
        assert f'value="{name}"' not in page
    Course.objects.update(timezone="US/Eastern")
    page = text_of(as_user(world.ida).get(COURSE + "edit/"))
    assert '<option value="US/Eastern" selected>' in page


@pytest.mark.slow
def test_editing_changes_what_was_changed_and_nothing_else(world: World, as_user: As) -> None:
    client = as_user(world.ida)
    post(client, COURSE + "new-assignment/")
    before = Assignment.objects.get(slug="second")
    post(client, COURSE + "assignments/second/edit/", title="Third")
    after = Assignment.objects.get(slug="second")
    assert after.title == "Third"
    assert (after.grading, after.limits, after.options) == (
        before.grading,
        before.limits,
        before.options,
    )


@pytest.mark.slow
def test_rules_are_frozen_once_games_were_graded(
    world: World, practised: Submission, as_user: As
) -> None:
    worlds.grade(world, world.ada)
    page = post(as_user(world.ida), ASSIGNMENT + "edit/", slug="hanabi", variant="uwa", title="")
    assert "Graded games have been played" in page
    assert "This field is required." in page


@pytest.mark.slow
def test_another_scheme_is_warned_of_and_its_effect_is_told(world: World, as_user: As) -> None:
    client = as_user(world.ida)
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
    assert "1 team with other points" in page
    assert "Say why" in post(client, ASSIGNMENT + "edit/", **changed, scheme_reason=" ")
    assert Grade.objects.get().points == before
    back = client.post(ASSIGNMENT + "edit/", {**FORM, **changed, "scheme_back": "1"})
    assert 'name="full_mean" value="2.5"' in back.content.decode()
    page = post(client, ASSIGNMENT + "edit/", **changed, scheme_reason="It was too hard.")
    assert "The points of 1 team were recomputed." in page
    mine = text_of(as_user(world.ada).get(ASSIGNMENT + "my-grade/"))
    assert "changed by Ida Rhodes: It was too hard." in mine
    grades = text_of(client.get(ASSIGNMENT + "grades/"))
    assert "1 earlier" in grades
    assert "changed by Ida Rhodes" in grades


def test_the_assignment_page_has_all_a_student_needs(world: World, as_user: As) -> None:
    page = text_of(as_user(world.ada).get(ASSIGNMENT))
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


@pytest.mark.slow
def test_the_status_of_submissions_is_shown_on_narrow_pages_too(
    world: World, practised: Submission, as_user: As
) -> None:
    page = text_of(as_user(world.ada).get("/courses/coop/assignments/hanabi/"))
    assert '<th scope="col">Status</th>' in page
    assert '<th scope="col" class="wide">Uploaded</th>' in page


def test_the_starter_kit_is_made_for_the_assignments_rules(world: World, as_user: As) -> None:
    response = as_user(world.ada).get(ASSIGNMENT + "starter-kit/")
    with zipfile.ZipFile(io.BytesIO(response.content)) as kit:
        assert "hanabi/agent.py" in kit.namelist()
    assert response["Content-Disposition"].endswith('filename="coop-hanabi-starter.zip"')


def test_a_partner_joins_with_the_teams_code(world: World, as_user: As) -> None:
    as_user(world.ada).post(ASSIGNMENT + "team/")
    code = worlds.team_of(world, world.ada).join_code
    page = as_user(world.ben).post(ASSIGNMENT + "team/join/", {"join_code": code}, follow=True)
    assert "You are in your partner" in text_of(page)
    assert "Ada Lovelace, Ben Okri" in text_of(page)


def test_a_wrong_team_code_is_refused_with_the_reason(world: World, as_user: As) -> None:
    page = as_user(world.ben).post(ASSIGNMENT + "team/join/", {"join_code": "NO"}, follow=True)
    assert "No team of this assignment has this code" in text_of(page)


def test_a_team_renames_itself(world: World, as_user: As) -> None:
    as_user(world.ada).post(ASSIGNMENT + "team/")
    page = as_user(world.ada).post(ASSIGNMENT + "team/rename/", {"name": "Twins"}, follow=True)
    assert "Twins" in text_of(page)


def test_the_secret_is_told_after_the_due_date_only(world: World, as_user: As) -> None:
    page = text_of(as_user(world.ida).post(ASSIGNMENT + "reveal/", follow=True))
    assert "Somebody can still submit" in page


# --- More time for a team ---------------------------------------------------------------------


def more_time(world: World) -> str:
    return f"{ASSIGNMENT}teams/{worlds.team_of(world, world.ada).pk}/extension/"


@pytest.mark.slow
def test_staff_give_a_team_more_time_and_see_who_did_when_and_why(
    world: World, as_user: As
) -> None:
    client, address = as_user(world.cleo), more_time(world)
    data = {"due_at": "2030-07-01T18:30", "reason": "Ill for a week"}
    page = text_of(client.post(address, data, follow=True))
    assert "1 Jul 2030, 18:30 CEST" in page
    for said in ("Ill for a week", "Cleo Vance", "Ada Lovelace"):
        assert said in page
        assert said in text_of(client.get(address))
    assert "a date of your own" in text_of(as_user(world.ada).get(ASSIGNMENT))


def test_an_extension_is_taken_back_with_a_reason_too(world: World, as_user: As) -> None:
    client, address = as_user(world.ida), more_time(world)
    client.post(address, {"due_at": "2030-07-01T18:30", "reason": "Ill"})
    client.post(address, {"withdraw": "1", "reason": ""})
    assert worlds.team_of(world, world.ada).extended_due_at is not None
    client.post(address, {"withdraw": "1", "reason": "A mistake"})
    assert worlds.team_of(world, world.ada).extended_due_at is None
    page = text_of(client.get(address))
    assert "A mistake" in page
    assert "as for all" in page


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"due_at": "2020-01-01T00:00", "reason": "Ill"}, "must end later than"),
        ({"due_at": "2030-01-01T00:00", "reason": ""}, "This field is required."),
        ({"due_at": "", "reason": "Ill"}, "This field is required."),
    ],
)
def test_an_extension_that_cannot_be_is_refused_with_the_reason(
    data: dict[str, str], said: str, world: World, as_user: As
) -> None:
    address = more_time(world)
    assert said in text_of(as_user(world.ida).post(address, data))
    assert worlds.team_of(world, world.ada).extended_due_at is None


def test_students_give_themselves_no_time(world: World, as_user: As) -> None:
    address = more_time(world)
    data = {"due_at": "2030-07-01T18:30", "reason": "Please"}
    assert as_user(world.ada).get(address).status_code == 403
    assert as_user(world.ada).post(address, data).status_code == 403


def test_a_team_of_another_assignment_has_no_extension_here(world: World, as_user: As) -> None:
    assert as_user(world.ida).get(f"{ASSIGNMENT}teams/999999/extension/").status_code == 404


# --- What a mean is worth ---------------------------------------------------------------------


@pytest.mark.slow
def test_house_agents_means_are_beside_the_mean_for_full_points(world: World, as_user: As) -> None:
    client = as_user(world.ida)
    for address in (COURSE + "new-assignment/", ASSIGNMENT + "edit/"):
        page = text_of(client.get(address))
        beside = page.partition('id="id_full_mean_helptext"')[2].partition("</div>")[0]
        assert "of 2 players, by the standard rules" in beside
        assert f"<code>piers</code> {AGENTS['piers'].means[2]:.2f}" in beside
        assert f'<td class="n">{AGENTS["information"].means[4]:.2f}</td>' in page


def test_house_agents_on_the_assignments_own_deals_take_their_place(
    world: World, as_user: As
) -> None:
    (run,) = request_house(assignment=world.assignment, by=world.ida, names=["iggi"])
    mean = worlds.play(run).mean
    client = as_user(world.ida)
    page = text_of(client.get(ASSIGNMENT + "edit/"))
    beside = page.partition('id="id_full_mean_helptext"')[2].partition("</div>")[0]
    assert f"on these graded deals: <code>iggi</code> {mean:.2f}." in beside


def test_student_numbers_that_several_gave_are_named_to_staff(world: World, as_user: As) -> None:
    places = world.course.enrolments.filter(role="student")
    places.update(student_number="")
    assert "more than one person" not in text_of(as_user(world.ida).get(COURSE + "people/"))
    Enrolment.objects.filter(pk__in=list(places.values_list("pk", flat=True)[:2])).update(
        student_number="4711"
    )
    page = text_of(as_user(world.ida).get(COURSE + "people/"))
    assert "more than one person: 4711" in page


def test_a_button_to_change_an_assignment_is_for_instructors(world: World, as_user: As) -> None:
    pages = [text_of(as_user(user).get(ASSIGNMENT)) for user in (world.ida, world.cleo, world.ada)]
    assert [ASSIGNMENT + "edit/" in page for page in pages] == [True, False, False]
