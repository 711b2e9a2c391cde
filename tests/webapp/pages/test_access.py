"""Access to pages: visitors, who has left, boards that are hidden or public, the work of a team.

``test_every_address`` has the table of all addresses by role.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, COURSE, signed_in, text_of
from tests.support.world import World
from webapp.contests.playing.services import start_game
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, EnrolmentState

pytestmark = pytest.mark.django_db
SIGN_IN = 302
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


def status(client: Client, address: str) -> int:
    return client.get(address).status_code


def statuses(client: Client, addresses: list[str]) -> dict[str, int]:
    return {address: status(client, address) for address in addresses}


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
def test_a_page_is_closed_to_visitors_unless_it_is_listed_here() -> None:
    visitor, pages = signed_in(None), [*addresses(get_resolver())]
    assert len(pages) > 80
    found = {page: status(visitor, page) for page in pages}
    assert {page for page, code in found.items() if code not in (SIGN_IN, 404, 405)} == OPEN


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
def test_staff_actions_work_by_post_only(address: str, least: str, world: World) -> None:
    client = signed_in(getattr(world, least))
    page = client.get(address, follow=True)
    assert page.status_code == 200
    assert address.startswith(page.request["PATH_INFO"])
    assert "Nothing was sent." in text_of(page)
    assert client.post(address, {"visibility": "public"}).status_code in (302, 422)


def test_a_hidden_board_does_not_exist_for_students_and_a_public_one_is_open_to_visitors(
    world: World,
) -> None:
    signed_in(world.ida).post(ASSIGNMENT + "leaderboard/visibility/", {"visibility": "hidden"})
    assert statuses(signed_in(world.ada), BOARD) == dict.fromkeys(BOARD, 404)
    assert statuses(signed_in(world.ida), BOARD) == dict.fromkeys(BOARD, 200)
    signed_in(world.ida).post(ASSIGNMENT + "leaderboard/visibility/", {"visibility": "public"})
    assert statuses(signed_in(None), BOARD) == dict.fromkeys(BOARD, 200)


@pytest.mark.parametrize("visibility", ["course", "public"])
def test_the_board_of_an_assignment_that_has_not_opened_does_not_exist_yet(
    visibility: str, world: World
) -> None:
    soon = timezone.now() + timedelta(days=1)
    Assignment.objects.update(leaderboard=visibility, opens_at=soon)
    for place in ("leaderboard/", "leaderboard.csv"):
        for user in (world.ada, None):
            assert status(signed_in(user), ASSIGNMENT + place) == 404
        assert status(signed_in(world.cleo), ASSIGNMENT + place) == 200


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ada", ""])
def test_no_address_answers_a_get_with_the_browsers_own_error(name: str, world: World) -> None:
    """Pages of their own with a way on, for whatever is typed into a browser."""
    client = signed_in(getattr(world, name) if name else None)
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


def submission_pages(pk: int) -> list[str]:
    return [f"/submissions/{pk}/{rest}" for rest in ("", "live/", "archive/")]


@pytest.mark.parametrize("state", [EnrolmentState.WITHDRAWN, EnrolmentState.REMOVED])
def test_a_person_who_left_a_course_finds_none_of_the_teams_work(
    state: EnrolmentState, world: World, practised: Submission
) -> None:
    """The partners may go on uploading."""
    game = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=["house:piers"])
    practice = practised.evaluations.get(kind="practice").uuid
    pages = submission_pages(practised.pk)
    pages += [f"/evaluations/{practice}/{rest}" for rest in ("", "live/", "games/0/record/")]
    pages += [f"/play/{game.uuid}/", f"/play/{game.uuid}/turns/"]
    assert statuses(signed_in(world.ada), pages) == dict.fromkeys(pages, 200)
    world.course.enrolments.filter(user=world.ada).update(state=state)
    assert statuses(signed_in(world.ada), pages) == dict.fromkeys(pages, 404)


@pytest.mark.slow
def test_practice_games_are_the_teams_and_the_staffs(world: World, practised: Submission) -> None:
    uuid = practised.evaluations.get(kind="practice").uuid
    for rest in ("", "live/", "watch/next/", "games/", "games/0/", "games/0/record/", "export/"):
        address = f"/evaluations/{uuid}/{rest}"
        assert status(signed_in(world.ada), address) == 200, address
        assert status(signed_in(world.cleo), address) == 200, address
        assert status(signed_in(world.ben), address) == 404, address
        assert status(signed_in(None), address) == SIGN_IN, address


@pytest.mark.slow
def test_graded_games_are_closed_until_the_secret_is_revealed_and_then_to_other_teams(
    world: World, ada_graded: Evaluation
) -> None:
    uuid = ada_graded.uuid
    for rest in ("games/", "games/0/", "games/0/record/", "export/"):
        assert status(signed_in(world.ada), f"/evaluations/{uuid}/{rest}") == 403
        assert status(signed_in(world.ida), f"/evaluations/{uuid}/{rest}") == 200
    assert status(signed_in(world.ada), f"/evaluations/{uuid}/") == 200
    worlds.submit_and_practise(world, world.ben)
    uuid = ada_graded.uuid
    Assignment.objects.update(secret_revealed_at=timezone.now())
    for rest in ("", "live/", "watch/next/", "games/", "games/0/", "games/0/record/", "export/"):
        assert status(signed_in(world.ada), f"/evaluations/{uuid}/{rest}") == 200
        assert status(signed_in(world.ben), f"/evaluations/{uuid}/{rest}") == 404
