"""Every address by every role: who may read it, who may send its form, and nobody else."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone

from tests.support import every_address
from tests.support.depth import deeper
from tests.support.every_address import EveryThing, routes
from tests.support.pages import signed_in
from tests.support.templates import copy_of
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Course

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ROLES: Final = (
    *("visitor", "stranger", "withdrawn", "student", "owner", "observer", "grader", "bare"),
    *("assistant", "instructor", "operator"),
)
"""``student``: of another team than ``owner``. ``bare``: an assistant without any right."""
EVERYBODY: Final = frozenset(ROLES)
SIGNED_IN: Final = EVERYBODY - {"visitor"}
MEMBERS: Final = SIGNED_IN - {"stranger", "withdrawn"}
PARTICIPANTS: Final = MEMBERS - {"observer"}
STAFF: Final = MEMBERS - {"student", "owner"}
TEAM: Final = STAFF | {"owner"}
OWNER: Final = frozenset({"owner"})
INSTRUCTORS: Final = frozenset({"instructor", "operator"})
OPERATORS: Final = frozenset({"operator"})
ASSISTANTS: Final = INSTRUCTORS | {"assistant"}
GRADERS: Final = ASSISTANTS | {"grader"}
ROSTER: Final = ASSISTANTS | {"observer"}

MAY_READ: Final[Mapping[frozenset[str], str]] = {
    EVERYBODY: """
        home boards showcase:game showcase:record guide:index guide:page guide:search
        playing:visitor_new playing:visitor_game playing:visitor_turns
        sharing:game sharing:embed sharing:picture""",
    # Of a public board, which test_visitors_walk opens; a game that is in its address.
    # The last one is there while there is another version of the game: tests/webapp/added_game.
    frozenset(): "sharing:house_game sharing:visitor_game evaluations:grade_again",
    SIGNED_IN: "evaluations:choose_beside",  # leads to the page that is asked for
    MEMBERS: """
        courses:course courses:announcements courses:assignment courses:submissions courses:dates
        courses:game courses:starter_kit evaluations:compare playing:new gradebook:own
        gradebook:own_course
        tournaments:tournaments tournaments:agent tournaments:tournament tournaments:live
        tournaments:screen tournaments:participant tournaments:watch tournaments:watch_next
        tournaments:games tournaments:game tournaments:beside tournaments:elsewhere
        tournaments:record tournaments:export tournaments:csv
        ladders:ladder ladders:live ladders:games ladders:game ladders:elsewhere ladders:record
        ladders:play_on tournaments:play_on
        leaderboards:leaderboard leaderboards:live leaderboards:screen leaderboards:agent
        leaderboards:csv""",
    PARTICIPANTS: "submissions:editor",
    TEAM: """
        submissions:submission submissions:live submissions:source submissions:archive
        submissions:changes
        evaluations:evaluation evaluations:live evaluations:beside""",
    OWNER: """
        submissions:editor_live
        playing:game playing:turns playing:leave playing:play_on playing:record sharing:share
        sharing:take_back""",
    STAFF: """
        courses:student_dates tournaments:audit_live
        evaluations:staff evaluations:staff_live evaluations:export evaluations:watch
        evaluations:watch_next evaluations:games evaluations:game evaluations:elsewhere
        evaluations:record evaluations:play_on
        gradebook:grades gradebook:student gradebook:course gradebook:regrades gradebook:regrade""",
    ROSTER: """
        courses:people courses:person
        gradebook:csv gradebook:assignment_export gradebook:course_export""",
    GRADERS: "evaluations:cancel evaluations:confirm",
    GRADERS | OWNER: "ladders:withdraw",
    ASSISTANTS: """
        courses:new_announcement courses:delete_announcement courses:extension
        courses:extensions courses:remind""",
    INSTRUCTORS: """
        courses:new_course courses:edit_course courses:import_people courses:edit_section
        courses:games courses:delete_section courses:renew_invite_code courses:new_assignment
        courses:section_dates courses:edit_assignment courses:confirm_reveal
        tournaments:new tournaments:exclude tournaments:points tournaments:release
        tournaments:audit tournaments:flags evaluations:flags ladders:close gradebook:release
        similarity:similarity similarity:live similarity:pair similarity:sources
        similarity:chosen_sources courses:move_teams
        lti:platforms lti:points auditlog:course auditlog:course_csv
        lifecycle:life lifecycle:delete lifecycle:copy_course lifecycle:export
        lifecycle:copy_assignment lifecycle:import_course""",
    OPERATORS: """
        auditlog:site auditlog:site_csv lifecycle:find_person lifecycle:forget_person
        operations:graders operations:dismiss operations:forget-aside""",
}
"""Names of pages by who may open them, in this world: its results and its board are shown."""
MAY_ACT: Final[Mapping[frozenset[str], str]] = {
    EVERYBODY: """
        playing:visitor_new playing:visitor_move playing:visitor_leave playing:visitor_again""",
    SIGNED_IN: "courses:join",
    MEMBERS: """
        courses:join_team courses:rename_team playing:new gradebook:own ladders:play_on
        tournaments:play_on""",
    STAFF: "evaluations:play_on",
    PARTICIPANTS: "courses:upload courses:start_team submissions:editor",
    OWNER: """
        playing:move playing:leave playing:again playing:play_on sharing:share
        sharing:take_back""",
    INSTRUCTORS | OWNER: "courses:set_number",
    ASSISTANTS | OWNER: "submissions:choose",
    GRADERS | OWNER: "submissions:practise submissions:retest ladders:withdraw",
    ROSTER: "gradebook:fill_worksheet gradebook:listed_assignment gradebook:listed_course",
    GRADERS: """
        evaluations:requeue evaluations:cancel evaluations:grade evaluations:play_house
        gradebook:student gradebook:regrade""",
    ASSISTANTS: """
        courses:new_announcement courses:delete_announcement courses:extension courses:extensions
        courses:student_dates courses:move_student courses:remind""",
    INSTRUCTORS: """
        courses:new_course courses:edit_course courses:person courses:change_people
        courses:games courses:check_game
        courses:move_teams
        courses:import_people courses:set_looks_after courses:set_role courses:set_section
        courses:correct_person
        courses:new_section courses:edit_section courses:delete_section courses:renew_invite_code
        courses:new_assignment courses:section_dates courses:edit_assignment
        courses:set_leaderboard courses:set_board_lines courses:reveal_secret
        tournaments:new tournaments:exclude tournaments:cancel tournaments:resume
        tournaments:points tournaments:release tournaments:audit
        tournaments:flags evaluations:flags
        ladders:open ladders:change ladders:pause ladders:resume ladders:close
        gradebook:release gradebook:hold similarity:compare
        lti:read_people lti:send lti:again lti:keep lti:settings lti:check
        lifecycle:archive lifecycle:reopen lifecycle:retention lifecycle:delete
        lifecycle:copy_course lifecycle:copy_assignment lifecycle:import_course""",
    frozenset({"instructor"}): "undo",
    frozenset(): "evaluations:grade_again",
    OPERATORS: """
        lifecycle:forget_person operations:admit operations:dismiss operations:drain
        operations:resume operations:pause operations:end-pause operations:requeue-failed
        operations:forget-aside""",
}
"""Names of forms by who may send them. What they send is in ``sent``."""
ELSEWHERE: Final = (
    *("accounts:", "account_", "mfa_", "saml_", "openid_", "socialaccount_"),
    *("lti:keys", "lti:launch", "lti:link", "lti:login", "lti:deep_link"),
    *("healthz", "readyz", "metrics", "wheel", "None"),
)
"""Beginnings of names of pages outside courses: accounts, LTI and operations test them."""
NOT_TRIED: Final = {"lti:read_people", "lti:check"}
"""Forms that ask a platform over the network: sent only by those who may not."""


@pytest.fixture
def things(db: None) -> EveryThing:
    """One of each thing that an address can name, and people of every role."""
    return copy_of(every_address.make)


def audiences(table: Mapping[frozenset[str], str]) -> dict[str, frozenset[str]]:
    return {name: roles for roles, names in table.items() for name in names.split()}


def named() -> Iterator[tuple[str, str]]:
    return ((name, route) for name, route in routes() if not name.startswith(ELSEWHERE))


def test_every_address_is_in_the_tables() -> None:
    tables = audiences(MAY_READ).keys() | audiences(MAY_ACT).keys()
    assert tables == {name for name, _ in named()}


def test_a_word_of_an_address_that_stands_for_nothing_is_asked_for(things: EveryThing) -> None:
    with pytest.raises(LookupError, match=r"what <week> is: add 'courses\.week'"):
        things.address("courses:week", "courses/<slug:course_slug>/weeks/<int:week>/")


def sent(things: EveryThing, name: str) -> dict[str, Any]:
    """Return what a form sends, where nothing at all would not show whether one may."""
    world, due = things.world, timezone.now() + timedelta(days=3)
    team = things.words["team"]
    more_time = {"due_at": f"{due:%Y-%m-%dT%H:%M}", "reason": "Ill"}
    forms: dict[str, dict[str, Any]] = {
        "courses:extension": more_time,
        "courses:extensions": more_time,
        "courses:move_student": {"student": world.ben.pk, "team": team},
        "courses:new_section": {"name": "Friday"},
        "courses:remind": {"message": "Hurry"},
        "courses:set_leaderboard": {"visibility": "hidden"},
        "courses:set_number": {"student_number": "4711"},
        "courses:student_dates": more_time,
        "gradebook:listed_assignment": {"system": "canvas"},
        "gradebook:listed_course": {"system": "canvas"},
        "courses:upload": {"file": SimpleUploadedFile("agent.py", b"x = 1\n")},
        "gradebook:student": {"points": "99", "reason": "Talk"},
        "ladders:withdraw": {"entry": things.words["entry"]},
        "evaluations:flags": {"note": "Talked to them"},
        "tournaments:flags": {"note": "Talked to them"},
        "tournaments:audit": {"games": "2"},
        "tournaments:release": {"stage": "results"},
    }
    return forms.get(name, {})


def query(things: EveryThing, name: str) -> str:
    words = things.words
    queries = {
        "courses:extensions": f"?team={words['team']}",
        "courses:remind": f"?team={words['team']}",
        "courses:move_teams": f"?team={words['team']}",
        "similarity:chosen_sources": f"?team={words['team']}",
        "evaluations:choose_beside": f"?with={words['evaluations.other']}",
        "ladders:withdraw": f"?entry={words['entry']}",
        "tournaments:release": "?stage=results",
    }
    return queries.get(name, "")


def is_refused(response: HttpResponseBase) -> bool:
    leads_to = response.headers.get("Location", "")
    return response.status_code in (403, 404) or leads_to.startswith("/accounts/sign-in/")


def outcome(client: Client, address: str, data: dict[str, Any] | None = None) -> tuple[bool, int]:
    """Return whether a form, or a page without ``data``, was refused, and how many acts are left
    in the log. All of it is taken back."""
    before = Act.objects.count()
    with transaction.atomic():
        response = client.get(address) if data is None else client.post(address, data)
        assert response.status_code < 500, address
        if response.streaming:
            list(response.streaming_content)
        made = Act.objects.count() - before
        transaction.set_rollback(True)
    return is_refused(response), made


def tried(
    things: EveryThing, role: str, table: dict[str, frozenset[str]]
) -> Iterator[tuple[str, str, bool]]:
    """Yield name, address and permission: all that are refused, and those that the first may."""
    for name, route in named():
        may = role in table.get(name, ())
        first = next((each for each in ROLES if each in table.get(name, ())), "")
        if name in table and (not may or deeper(role == first, deep=True)):
            yield name, things.address(name, route) + query(things, name), may


def of_role(things: EveryThing, role: str) -> Client:
    if role == "bare":
        Course.objects.update(assistant_rights=[])
    return signed_in(things.people["assistant" if role == "bare" else role])


@pytest.mark.parametrize("role", ROLES)
def test_a_page_is_read_by_whom_the_table_names_alone(role: str, things: EveryThing) -> None:
    client = of_role(things, role)
    wrong = {
        address
        for name, address, may in tried(things, role, audiences(MAY_READ))
        if outcome(client, address)[0] is may
    }
    assert wrong == set()
    if role in {"stranger", "withdrawn"}:  # who do not learn that the course exists
        pages = [address for _, address, _ in tried(things, role, audiences(MAY_READ))]
        told = {page for page in pages if client.get(page).status_code == 403}
        assert not {page for page in told if page.startswith("/courses/coop/")}


@pytest.mark.parametrize("role", ROLES)
def test_a_form_is_taken_from_whom_the_table_names_alone_and_refusals_do_nothing(
    role: str, things: EveryThing
) -> None:
    client = of_role(things, role)
    wrong = {}
    for name, address, may in tried(things, role, audiences(MAY_ACT)):
        if may and name in NOT_TRIED:
            continue
        refused, acts = outcome(client, address, sent(things, name))
        if refused is may or (refused and acts):
            wrong[address] = (refused, acts)
    assert wrong == {}


@pytest.mark.parametrize("role", ["owner", "instructor", "operator"])
def test_addresses_outside_the_tables_take_no_form(role: str, things: EveryThing) -> None:
    client, forms = of_role(things, role), audiences(MAY_ACT)
    pages = {things.address(name, route) for name, route in named() if name not in forms}
    taken = {
        page
        for page in pages - {"/"}
        if not page.startswith("/guide/") and client.post(page).status_code not in (403, 404, 405)
    }
    assert taken == set()
