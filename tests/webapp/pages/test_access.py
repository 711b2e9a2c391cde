"""Access to pages: visitors, who has left, boards that are hidden or public.

``test_every_address`` has the table of all addresses by role.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import text_of
from tests.support.world import World
from webapp.pages.guide.pages import PAGES
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, EnrolmentState

pytestmark = pytest.mark.django_db
As = Callable[[User | None], Client]
SIGN_IN = 302
COURSE = "/courses/coop/"
ASSIGNMENT = "/courses/coop/assignments/hanabi/"
PUBLIC = [
    "/",
    "/accounts/register/",
    "/accounts/sign-in/",
    "/accounts/sign-in/operator/",
    "/accounts/password/reset/",
    "/accounts/password/reset/sent/",
    "/accounts/password/reset/MQ/x-y/",
    "/healthz",
    "/boards/",
    "/example-game/",
    "/example-game/record/",
    "/play/",
    "/guide/",
    "/guide/search/",
    *(f"/guide/{entry.slug}/" for entry in PAGES),
]
BOARD = [ASSIGNMENT + place for place in (
    "leaderboard/", "leaderboard/live/", "leaderboard/screen/", "leaderboard.csv")]  # fmt: skip
EXAMPLES = {
    "int": "1",
    "path": "x",
    "slug": "x",
    "str": "x",
    "uuid": "00000000-0000-0000-0000-000000000000",
}
"""A value for each kind of word in an address."""
OPEN = {
    "/",
    "/accounts/password/reset/",
    "/accounts/password/reset/sent/",
    "/accounts/password/reset/x/x/",
    "/accounts/register/",
    "/accounts/sign-in/",
    "/accounts/sign-in/operator/",
    "/boards/",
    "/example-game/",
    "/example-game/record/",
    "/guide/",
    "/guide/search/",
    "/healthz",
    "/lti/keys/",
    "/lti/login/",
    "/play/",
    "/play/table/turns/",
    "/readyz",
}
"""Addresses that show a visitor something, as ``addresses`` writes them."""
MEMBERS = [COURSE, COURSE + "announcements/", COURSE + "my-grades/",
           ASSIGNMENT, ASSIGNMENT + "dates/", ASSIGNMENT + "my-grade/", *BOARD,
           ASSIGNMENT + "starter-kit/", ASSIGNMENT + "play/"]  # fmt: skip
STAFF = [
    COURSE + "announcements/new/",
    COURSE + "people/",
    ASSIGNMENT + "teams/",
    ASSIGNMENT + "teams/live/",
    ASSIGNMENT + "grade/confirm/",
    ASSIGNMENT + "grades/",
    ASSIGNMENT + "grades.csv",
    COURSE + "regrades/",
    COURSE + "grades/",
    COURSE + "grades/canvas/",
    ASSIGNMENT + "grades/export/canvas/",
]
INSTRUCTORS = [COURSE + "edit/", COURSE + "new-assignment/", ASSIGNMENT + "edit/",
               ASSIGNMENT + "sections/", ASSIGNMENT + "reveal/confirm/",
               ASSIGNMENT + "grades/release/",
               COURSE + "platforms/", ASSIGNMENT + "platforms/",
               COURSE + "log/", COURSE + "log.csv", COURSE + "people/import/",
               COURSE + "life/", COURSE + "life/copy/", COURSE + "life/delete/",
               ASSIGNMENT + "copy/",
               COURSE + "invite-code/", *(ASSIGNMENT + "similarity/" + place for place in (
                   "", "live/", "sources.zip"))]  # fmt: skip
FOR_CHOSEN_TEAMS = [ASSIGNMENT + "teams/sources.zip", ASSIGNMENT + "teams/section/"]
"""They lead back to the list if nobody is chosen."""
OPERATORS = [
    "/operations/graders/",
    "/operations/log/",
    "/operations/log.csv",
    "/operations/people/",
]
OWN = ["/accounts/profile/", "/accounts/profile/download/", "/accounts/password/"]


def status(client: Client, address: str) -> int:
    return client.get(address).status_code


def statuses(client: Client, addresses: list[str]) -> dict[str, int]:
    return {address: status(client, address) for address in addresses}


@pytest.mark.slow
def test_visitors_can_open_public_pages(as_user: As) -> None:
    assert statuses(as_user(None), PUBLIC) == dict.fromkeys(PUBLIC, 200)


_KIND = re.compile(r"<(?:(\w+):)?\w+>")


def addresses(
    resolver: URLResolver, before: str = "/", *, words: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """Yield an address for each page of the site; what it names need not be there."""

    def example(kind: re.Match[str]) -> str:
        return words.get(kind[0]) or EXAMPLES[kind[1] or "str"]

    for entry in resolver.url_patterns:
        route = before + _KIND.sub(example, str(entry.pattern))
        if isinstance(entry, URLPattern):
            yield route
        elif route not in {"/admin/", "/api/v1/"}:
            yield from addresses(entry, route, words=words)


@pytest.mark.slow
def test_a_page_is_closed_to_visitors_unless_it_is_listed_here(as_user: As) -> None:
    visitor, pages = as_user(None), [*addresses(get_resolver())]
    assert len(pages) > 80
    found = {page: status(visitor, page) for page in pages}
    assert {page for page, code in found.items() if code not in (SIGN_IN, 404, 405)} == OPEN


def test_visitors_are_sent_to_sign_in_from_pages_of_members(world: World, as_user: As) -> None:
    found = statuses(as_user(None), [*MEMBERS, *STAFF, *INSTRUCTORS, *OWN, "/new-course/"])
    assert {address for address, code in found.items() if code not in (SIGN_IN, 404)} == set()


@pytest.mark.slow
def test_instructors_may_open_everything(world: World, as_user: As) -> None:
    pages = MEMBERS + STAFF + INSTRUCTORS
    assert statuses(as_user(world.ida), pages) == dict.fromkeys(pages, 200)
    back = dict.fromkeys(FOR_CHOSEN_TEAMS, 302)
    assert statuses(as_user(world.ida), FOR_CHOSEN_TEAMS) == back


@pytest.mark.slow
@pytest.mark.parametrize("state", [EnrolmentState.WITHDRAWN, EnrolmentState.REMOVED])
def test_a_person_who_left_a_course_does_not_find_it(
    state: EnrolmentState, world: World, as_user: As
) -> None:
    world.course.enrolments.exclude(user=world.ida).update(state=state)
    pages = MEMBERS + STAFF + INSTRUCTORS
    for user in (world.ada, world.cleo):
        assert statuses(as_user(user), pages) == dict.fromkeys(pages, 404)


def test_only_operators_look_after_the_site(world: World, as_user: As) -> None:
    for user in (world.ada, world.cleo, world.ida):
        assert statuses(as_user(user), OPERATORS) == dict.fromkeys(OPERATORS, 403)
    assert statuses(as_user(None), OPERATORS) == dict.fromkeys(OPERATORS, SIGN_IN)
    operator = User.objects.create_superuser("op@uni.example", display_name="Opal Operator")
    assert statuses(as_user(operator), OPERATORS[1:]) == dict.fromkeys(OPERATORS[1:], 200)


def test_people_of_other_courses_do_not_learn_that_it_exists(world: World, as_user: As) -> None:
    pages = MEMBERS + STAFF + INSTRUCTORS
    stranger = worlds.person("Dora Stranger")
    assert statuses(as_user(stranger), pages) == dict.fromkeys(pages, 404)


def test_assistants_give_no_share_of_time(world: World, as_user: As) -> None:
    address = f"{COURSE}people/{world.course.enrolments.get(user=world.ada).pk}/"
    data = {"time_percent": "150", "reason": "Note seen"}
    assert as_user(world.cleo).post(address, data).status_code == 403
    assert as_user(world.ida).post(address, data).status_code == 302


POSTS = [
    (ASSIGNMENT + "similarity/compare/", "ida"),
    (ASSIGNMENT + "leaderboard/visibility/", "ida"),
    (ASSIGNMENT + "leaderboard/lines/", "ida"),
    (ASSIGNMENT + "reveal/", "ida"),
    (ASSIGNMENT + "grades/hold/", "ida"),
    (ASSIGNMENT + "grades/worksheet/", "cleo"),
    (ASSIGNMENT + "grade/", "cleo"),
    (ASSIGNMENT + "house/", "cleo"),
    (COURSE + "sections/", "ida"),
    (COURSE + "people/change/", "ida"),
]


@pytest.mark.parametrize(("address", "least"), POSTS)
def test_staff_actions_work_by_post_only(
    address: str, least: str, world: World, as_user: As
) -> None:
    client = as_user(getattr(world, least))
    page = client.get(address, follow=True)
    assert page.status_code == 200
    assert address.startswith(page.request["PATH_INFO"])
    assert "Nothing was sent." in text_of(page)
    assert client.post(address, {"visibility": "public"}).status_code in (302, 422)


def test_a_hidden_board_does_not_exist_for_students(world: World, as_user: As) -> None:
    as_user(world.ida).post(ASSIGNMENT + "leaderboard/visibility/", {"visibility": "hidden"})
    assert statuses(as_user(world.ada), BOARD) == dict.fromkeys(BOARD, 404)
    assert statuses(as_user(world.ida), BOARD) == dict.fromkeys(BOARD, 200)


@pytest.mark.parametrize("visibility", ["course", "public"])
def test_the_board_of_an_assignment_that_has_not_opened_does_not_exist_yet(
    visibility: str, world: World, as_user: As
) -> None:
    soon = timezone.now() + timedelta(days=1)
    Assignment.objects.update(leaderboard=visibility, opens_at=soon)
    for place in ("leaderboard/", "leaderboard.csv"):
        for user in (world.ada, None):
            assert status(as_user(user), ASSIGNMENT + place) == 404
        assert status(as_user(world.cleo), ASSIGNMENT + place) == 200


LADDER_POSTS = ["open/", "settings/", "pause/", "resume/", "close/", "withdraw/"]


@pytest.mark.parametrize("act", LADDER_POSTS)
def test_without_a_ladder_nobody_but_an_instructor_can_begin_one(
    act: str, world: World, as_user: As
) -> None:
    address = ASSIGNMENT + "ladder/" + act
    refused = 403 if act == "open/" else 404
    codes = [as_user(user).post(address).status_code for user in (None, world.ada, world.cleo)]
    assert codes == [SIGN_IN, refused, refused]
    assert as_user(world.ida).post(address).status_code == (422 if act == "open/" else 404)


def test_a_public_board_is_open_to_visitors(world: World, as_user: As) -> None:
    as_user(world.ida).post(ASSIGNMENT + "leaderboard/visibility/", {"visibility": "public"})
    assert statuses(as_user(None), BOARD) == dict.fromkeys(BOARD, 200)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ada", ""])
def test_no_address_answers_a_get_with_the_browsers_own_error(
    name: str, world: World, as_user: As
) -> None:
    """Pages of their own with a way on, for whatever is typed into a browser."""
    client = as_user(getattr(world, name) if name else None)
    words = {"<slug:course_slug>": "coop", "<slug:assignment_slug>": "hanabi"}
    pages = [*addresses(get_resolver()), *addresses(get_resolver(), words=words)]
    seen: set[str] = set()
    for page in dict.fromkeys(pages):
        response = client.get(page)
        while response.status_code == 302 and (path := urlsplit(response["Location"]).path):
            if path in seen:
                break
            seen.add(path)
            response = client.get(response["Location"])
        assert response.status_code != 405, page
        is_page = response.get("Content-Type", "").startswith("text/html")
        if response.status_code >= 400:
            assert is_page or page in MACHINES, page
            assert not is_page or 'href="/' in response.content.decode(), page


MACHINES = {"/healthz", "/readyz", "/metrics"}
"""Addresses that only programs ask for."""
