"""The table of teams for staff: tabs, states, and what is done to the chosen rows."""

import io
import re
from dataclasses import replace
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, signed_in, text_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.work import Work
from webapp.grading.submissions.models import Submission
from webapp.pages.evaluations.row_states import RowState
from webapp.pages.evaluations.staff_table import TableContext, cells_of, row_html
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification
from webapp.teaching.courses.models import Assignment, Extension, Section, Team
from webapp.teaching.courses.services import create_section, extend_student, set_section_dates

pytestmark = pytest.mark.django_db

STAFF = ASSIGNMENT + "teams/"


def close(world: World) -> None:
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(days=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(hours=1))
    world.assignment.refresh_from_db()


def rows(client: Client, query: str = "") -> dict[str, str]:
    page = text_of(client.get(f"{STAFF}?{query}"))
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", page.partition('class="stacked roster')[2]):
        if 'class="state"' in row:
            name, state = (
                re.search(rf"{place}(.*?)</t[hd]>", row)
                for place in ("<th[^>]*>", 'class="state">')
            )
            assert name
            assert state
            texts = [" ".join(re.sub(r"<[^>]+>", " ", part[1]).split()) for part in (name, state)]
            found[" ".join(texts[0].split()[:2])] = texts[1]
    return found


def tabs(client: Client, query: str = "") -> dict[str, int]:
    page = text_of(client.get(f"{STAFF}?{query}"))
    found = re.findall(r'">([A-Z][a-z ]+) <b>(\d+)</b>', page)
    return {words: int(number) for words, number in found}


def enrolment(world: World, user: User) -> int:
    return world.course.enrolments.get(user=user).pk


def monday(world: World) -> Section:
    return create_section(course=world.course, by=world.ida, name="Monday")


def test_students_without_a_team_have_a_row_and_tabs_count_all(
    world: World, practised: Submission
) -> None:
    client = signed_in(world.ida)
    assert rows(client) == {"Ada Lovelace": "not graded", "Ben Okri": "no upload yet"}
    counts = {"All": 2, "To check": 0, "No upload": 1, "Extensions": 0, "Not graded": 2}
    assert tabs(client) == counts
    page = text_of(client.get(f"{STAFF}?show=no-upload"))
    assert "1 student without a team." in page
    assert "Move a student" not in page
    page = text_of(client.get(STAFF))
    assert "1 team and 1 student without a team." in page
    assert f'<option value="{practised.team_id}">Ada Lovelace</option>' in page
    close(world)
    assert tabs(client) == counts | {"To check": 1}
    assert rows(client, "show=check") == {"Ben Okri": "no upload nothing uploaded"}
    assert rows(client, "show=no-upload") == rows(client, "show=check")


def test_a_row_is_drawn_anew_only_when_what_it_shows_has_changed(
    world: World, practised: Submission
) -> None:
    client = signed_in(world.ida)
    before = text_of(client.get(STAFF))
    Team.objects.filter(pk=practised.team_id).update(name="Renamed & found")
    practised.evaluations.filter(kind="practice").update(mean=1.125)
    after = text_of(client.get(STAFF))
    assert "Renamed &amp; found" in after
    assert "1.12" in after
    assert "1.12" not in before

    (work,) = Work([world.assignment]).rows()
    cells = cells_of(work, RowState(word="new", sign="!"), [], is_to_check=False)
    table = TableContext(
        course="coop", assignment="hanabi", has_sections=False, has_opponents=False,
        may_choose=True, may_extend=True, may_announce=True, may_grade=True,
    )  # fmt: skip
    row = row_html(table, cells, "token")
    assert row_html(replace(table), tuple(cell for cell in cells), "another") is row
    assert "More time…" not in row_html(replace(table, may_extend=False), cells, "token")


def test_a_student_with_more_time_is_not_to_check(world: World) -> None:
    close(world)
    place = world.course.enrolments.select_related("user", "course").get(user=world.ben)
    until = timezone.now() + timedelta(days=1)
    given = {"assignment": world.assignment, "by": world.ida, "due_at": until, "reason": "Ill"}
    extend_student(enrolment=place, **given)
    client = signed_in(world.ida)
    assert rows(client, "show=extensions") == {"Ben Okri": "extension nothing uploaded"}
    assert list(rows(client, "show=check")) == ["Ada Lovelace"]
    assert "One extension is still running." in text_of(client.get(STAFF))
    worlds.team_of(world, world.ben)
    assert rows(client, "show=extensions")["Ben Okri"].startswith("extension until ")


def test_a_section_with_a_later_date_is_not_to_check_before_it(world: World) -> None:
    section, client = monday(world), signed_in(world.ida)
    world.course.enrolments.filter(user=world.ben).update(section=section)
    close(world)
    later = timezone.now() + timedelta(days=1)
    set_section_dates(assignment=world.assignment, section=section, by=world.ida, due_at=later)
    assert list(rows(client, "show=check")) == ["Ada Lovelace"]
    assert rows(client)["Ben Okri"] == "no upload yet"
    assert rows(client, "show=extensions") == {}


def test_nothing_uploaded_is_to_check_as_soon_as_uploads_cost_a_penalty(world: World) -> None:
    close(world)
    Assignment.objects.update(penalty_percent=10)  # uploads count for ten more days
    client = signed_in(world.ida)
    assert set(rows(client, "show=check")) == {"Ada Lovelace", "Ben Okri"}
    assert rows(client)["Ben Okri"].startswith("no upload nothing uploaded")


def test_a_section_and_words_choose_rows_and_tabs_count_those(
    world: World, practised: Submission
) -> None:
    section = monday(world)
    world.course.enrolments.filter(user=world.ada).update(section=section)
    client = signed_in(world.ida)
    assert list(rows(client, f"section={section.pk}")) == ["Ada Lovelace"]
    assert list(rows(client, "section=none")) == ["Ben Okri"]
    assert list(rows(client, "q=ben%40")) == ["Ben Okri"]
    assert tabs(client, "section=none")["All"] == 1
    for absurd in ("section=x", "section=99999999999999999999", "show=x&page=99"):
        assert client.get(f"{STAFF}?{absurd}").status_code == 200


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ({}, "graded"),
        ({"faults": 1}, "graded 1 of 12 games faulted"),
        ({"faults": 5}, "faults 5 of 12 games faulted"),
        ({"verdict": "faulty", "faults": 12}, "faults 12 of 12 games faulted"),
        ({"lost": 9}, "check 75% of games lost"),
    ],
)
def test_a_graded_team_is_to_check_for_many_faults_or_lost_games(
    values: dict[str, object], state: str, world: World, ada_graded: Evaluation
) -> None:
    Evaluation.objects.filter(pk=ada_graded.pk).update(**({"lost": 0} | values))
    client = signed_in(world.ida)
    assert rows(client)["Ada Lovelace"] == state
    assert ("Ada Lovelace" in rows(client, "show=check")) == (not state.startswith("graded"))
    assert "See games" in text_of(client.get(STAFF)) or "lost" not in values


def test_a_rejected_upload_is_to_check_and_leads_to_its_page(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    client = signed_in(world.ida)
    assert rows(client)["Ada Lovelace"] == "in test submission 1 is still being tested"
    Submission.objects.update(status="rejected")
    close(world)
    assert rows(client, "show=check")["Ada Lovelace"] == "rejected the only upload was rejected"
    assert f'href="/submissions/{submission.pk}/">See why' in text_of(client.get(STAFF))


def test_the_chosen_move_to_a_section_and_back(world: World) -> None:
    section, client = monday(world), signed_in(world.ida)
    team = worlds.team_of(world, world.ada)
    address = f"{STAFF}section/?team={team.pk}&student={enrolment(world, world.ben)}"
    assert "Move 2 students to a section?" in text_of(client.get(address))
    page = text_of(client.post(address, {"section": section.pk}, follow=True))
    assert "2 students moved to Monday." in page
    assert section.enrolments.count() == 2
    undo = re.search(r'action="(/undo/[^"]*|[^"]*undo[^"]*)"', page)
    assert undo
    client.post(address, {"section": ""})
    assert section.enrolments.count() == 0
    assert "Choose teams first." in text_of(client.get(f"{STAFF}section/", follow=True))
    assert signed_in(world.cleo).post(address, {"section": ""}).status_code == 403


def test_the_sources_of_the_chosen_are_one_archive(world: World, practised: Submission) -> None:
    worlds.submit_and_practise(world, world.ben)
    client = signed_in(world.ida)
    response = client.get(f"{STAFF}sources.zip?team={practised.team.pk}")
    archive = ZipFile(io.BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]
    folders = {name.partition("/")[0] for name in archive.namelist()}
    assert folders == {f"ada-lovelace-{practised.team.pk}", "submissions.csv"}
    assert Act.objects.get(kind="similarity.downloaded").thing.endswith("1 submission")
    none = text_of(client.get(f"{STAFF}sources.zip", follow=True))
    assert "Choose teams first." in none


def test_a_chosen_student_without_a_team_gets_more_time(world: World) -> None:
    client = signed_in(world.ida)
    address = f"{STAFF}extensions/?student={enrolment(world, world.ben)}"
    assert "Give 1 student more time?" in text_of(client.get(address))
    until = timezone.localtime(world.assignment.due_at + timedelta(days=2))
    values = {"due_at": until.strftime("%Y-%m-%dT%H:%M"), "reason": "Ill"}
    assert "1 student got time until" in text_of(client.post(address, values, follow=True))
    assert Extension.objects.get().user == world.ben


def test_the_chosen_without_an_upload_are_reminded_once_a_day(
    world: World, practised: Submission
) -> None:
    client, place = signed_in(world.ida), enrolment(world, world.ben)
    address = f"{STAFF}remind/?team={practised.team.pk}&student={place}"
    asked = text_of(client.get(address))
    assert "Remind 1 student?" in asked
    assert "1 student gets an e-mail: Ben Okri." in asked
    assert "1 has uploaded something." in asked
    assert "This field is required." in text_of(client.post(address, {"message": ""}))
    sent = text_of(client.post(address, {"message": "Hurry up"}, follow=True))
    assert "1 student will get an e-mail within minutes." in sent
    letter = Notification.objects.get(topic="reminder")
    assert letter.user == world.ben
    again = text_of(client.get(address, follow=True))
    assert "None of the chosen gets an e-mail. 1 has uploaded something." in again
    assert "1 was reminded within the last day." in again
    assert signed_in(world.ben).get(address).status_code == 403


def test_a_row_without_an_upload_offers_a_reminder_once_uploads_are_closed(world: World) -> None:
    client, button = signed_in(world.ida), f"remind/?student={enrolment(world, world.ben)}"
    assert button not in text_of(client.get(STAFF))
    close(world)
    assert button in text_of(client.get(STAFF))
    world.course.enrolments.filter(user=world.cleo).update(role="grader")
    assert button not in text_of(signed_in(world.cleo).get(STAFF))
