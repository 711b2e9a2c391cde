"""A thousand teams: pages show fifty of them at a time, and find the others."""

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support.crowd import make_crowd
from tests.support.pages import signed_in, text_of
from tests.support.staff_work import add_staff_work
from webapp.grading.evaluations.services import go_on_grading

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

BASE = "/courses/large/assignments/hanabi/"
LATER_PAGES = {
    "/courses/large/": 26,
    "/courses/large/log/": 6,
    "/courses/large/log/?q=0777": 6,
    "/courses/large/life/": 22,
    "/courses/large/grades/": 17,
    "/courses/large/people/": 12,
    "/courses/large/regrades/": 7,
    "/courses/large/platforms/": 6,
    BASE + "similarity/": 15,
    BASE + "sections/": 6,
    BASE + "grade/confirm/": 17,
    BASE + "grades/release/": 9,
    BASE + "platforms/": 7,
}
"""Pages of staff with something of each student, and the most queries that they take."""


def test_pages_for_staff_stay_small_and_find_everybody(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    crowd = make_crowd(teams=1000, submissions=2)
    staff = signed_in(crowd.instructor)
    for address, queries in ((BASE + "teams/", 52), (BASE + "grades/", 43)):
        with django_assert_max_num_queries(queries):
            response = staff.get(address)
        assert len(response.content) < 200_000
        page = text_of(response)
        assert "Student 0049" in page.partition("move-student")[0]
        assert "Page 1 of 20" in page
        last = text_of(staff.get(address + "?page=20"))
        assert "Student 0999</a>" in last or "Student 0999<br>" in last
        found = text_of(staff.get(address + "?q=student777%40"))
        assert "Student 0777" in found
        assert "Page 1" not in found
        assert "“nobody”" in text_of(staff.get(address + "?q=nobody"))
    with django_assert_max_num_queries(17):
        assert "Student 0777" in staff.get(BASE + "grades.csv").text
    assert "1,000 of 1,000 graded." in text_of(staff.get(BASE + "grades/"))
    add_staff_work(crowd)
    for address, queries in LATER_PAGES.items():
        with django_assert_max_num_queries(queries):
            response = staff.get(address)
        assert response.status_code == 200, address
        assert len(response.content) < 60_000, address
    chosen = "&".join(f"team={team.pk}" for team in crowd.teams[:50])
    with django_assert_max_num_queries(9):
        assert "Student 0049" in text_of(staff.get(f"{BASE}teams/extensions/?{chosen}"))
    told = text_of(staff.get("/courses/large/"))
    assert "Answer 1,000 regrade requests" in told
    assert "Send the points of 1,000 students again" in told


def test_the_live_part_shows_the_same_page_of_the_table() -> None:
    crowd = make_crowd(teams=60, submissions=1)
    staff = signed_in(crowd.instructor)
    shown = text_of(staff.get(BASE + "teams/live/?page=2"))
    assert "Student 0055" in shown
    assert "Student 0005" not in shown


def test_the_grading_of_all_teams_says_how_far_it_is() -> None:
    crowd = make_crowd(teams=25, submissions=1, graded=False)
    staff = signed_in(crowd.instructor)
    page = text_of(staff.post(BASE + "grade/", follow=True))
    assert "The grading of 25 teams continues automatically" in page
    assert "10 of 25 evaluations requested" in page
    go_on_grading(at=timezone.now())
    assert "evaluations requested" not in text_of(staff.get(BASE + "teams/live/"))
