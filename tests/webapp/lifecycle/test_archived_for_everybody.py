"""Every service that acts for a person refuses an archived course, or is listed here.

Services are found in the site's modules, so that a new one cannot be forgotten. Their arguments are
made from the types of their parameters.
"""

import importlib
import inspect
import pkgutil
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

import webapp
from grader.uploads.archive import SourceFile, Sources
from tests.support import world as worlds
from tests.support.world import World
from webapp.base.errors import Refused
from webapp.contests.ladders.models import Ladder, LadderEntry
from webapp.contests.ladders.services import staff as ladders
from webapp.contests.tournaments.models import Participant, Tournament
from webapp.contests.tournaments.services import starting as tournaments
from webapp.flow.lti.launches import Place
from webapp.grading.evaluations.models import Audit, AuditRun, Draft, Evaluation, GameResult
from webapp.grading.evaluations.services.drafts import DraftOrigin
from webapp.grading.gradebook.models import ManualPoints, Outcome, RegradeRequest
from webapp.grading.similarity.models import Comparison, SimilarPair
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.services.keeping import form_token, keep_upload
from webapp.people.accounts.identities import Identity
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    Enrolment,
    GradeRelease,
    Section,
    Team,
)
from webapp.teaching.courses.services import enrol_by_code

pytestmark = pytest.mark.django_db

Service = Callable[..., object]

_ELSEWHERE: Final = {"webapp.flow.pipeline", "webapp.flow.lti.scores", "webapp.flow.lti.services"}
"""Modules of services that are not called so, or lie outside such a package."""
_BELOW: Final = (
    "webapp.people.accounts.",
    "webapp.grading.graders.",
    "webapp.people.notifications.",
)
_SOMEBODY: Final = {"by", "user", "invite_code"}
"""Parameters that name whom a service acts for; of registering, the code."""
SPARED: Final = {
    "archive_course": "says that the course is archived already",
    "unarchive_course": "unarchives the course",
    "set_retention": "says what the archive keeps",
    "delete_course": "wants an archived course",
    "forget_person": "is asked for by law, whatever is archived",
    "copy_course": "reads the archived course, and writes another",
    "create_course": "makes another course",
    "import_course": "makes another course",
    "note_opened": "writes only into the audit log",
    "note_download": "writes only into the audit log",
    "take_back_link": "closes a page of their own",
    "act": "games of people with agents have ended",
    "leave": "games of people with agents have ended",
    "play_again": "calls start_game",
    "play_on": "refuses as start_game does, for a game that is over",
    "change_dates": "calls a service that refuses",
    "regrade": "called by update_assignment, which refuses",
    "apply_lateness": "called by services that refuse",
    "request_evaluation": "called by services that refuse",
    "request_house_evaluation": "called by request_house",
    "request_games_of_draft": "called by request_try, of a draft that was checked",
    "tries_left": "counts, and changes nothing",
    "course_of_code": "finds the course, and changes nothing",
    "registration_errors": "says what is wrong, and changes nothing",
    "require_may_withdraw": "asks for a right, and changes nothing",
    "require_own": "says whose it is, and changes nothing",
    "require_own_number": "reads sources, and changes nothing",
    "form_token": "signs, and changes nothing",
    "kept_upload": "finds a file, and changes nothing",
    "forget_kept": "removes what is theirs alone",
    "enrol_by_code": "asks nothing of who is enrolled already; see below",
    "change_own_name": "is about an account, not a course",
    "request_own_address": "is about an account, not a course",
    "requested_address": "reads a link, and changes nothing",
    "change_own_address": "is about an account, not a course",
    "send_address_link": "is about an account, not a course",
    "secure_staff": "called by services that refuse",
    "put_into_sections": "called by services that refuse",
    "send_invitations": "called by services that refuse",
    "enter_course": "lets people in to read, see tests/webapp/lti",
}


def services() -> Iterator[Service]:
    """Yield every public function of a service module that acts for a user or admits one."""
    for module in pkgutil.walk_packages(webapp.__path__, "webapp."):
        if "services" not in module.name.split(".") and module.name not in _ELSEWHERE:
            continue
        if module.name.startswith(_BELOW):
            continue
        loaded = importlib.import_module(module.name)
        for name, function in inspect.getmembers(loaded, inspect.isfunction):
            own = function.__module__ == module.name and not name.startswith("_")
            if own and _SOMEBODY & inspect.signature(function).parameters.keys():
                yield function


def arguments_of(service: Service, things: dict[Any, object]) -> dict[str, object]:
    parameters = inspect.signature(service).parameters.values()
    hints = get_type_hints(service)
    return {
        each.name: things[each.name] if each.name in things else value_of(hints[each.name], things)
        for each in parameters
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD
    }


def value_of(kind: Any, things: dict[Any, object]) -> object:
    """Return a value of a type: from the world, or an ordinary one."""
    if kind in things:
        return things[kind]
    if get_origin(kind) in (Union, UnionType):
        return value_of(get_args(kind)[0], things)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    if (get_origin(kind) or kind) in ORDINARY:
        return ORDINARY[get_origin(kind) or kind]
    raise LookupError(f"say what {kind} is for this test")


ORDINARY: Final[dict[Any, object]] = {
    str: "word",
    int: 1,
    bool: True,
    bytes: b"x",
    datetime: timezone.now() + timedelta(days=1),
    date: timezone.now().date(),
    Decimal: Decimal(1),
    Sequence: (),
    Collection: (),
    Mapping: {},
}
PLACE: Final = Place(
    platform=1, deployment_id="1", context_id="1", title="", memberships_url="",
    resource_link_id="", lineitem_url="", assignment=None,
)  # fmt: skip


@pytest.fixture
def things(over: World) -> dict[Any, object]:
    """Something of the archived course for each type of it; by name what must be one in itself."""
    assignment = Assignment.objects.get()
    submission = Submission.objects.filter(team__memberships__user=over.ada).get()
    ladder, tournament = Ladder(assignment=assignment), Tournament(assignment=assignment)
    comparison = Comparison(assignment=assignment)
    evaluation = Evaluation.objects.filter(submission=submission).first()
    draft = Draft.objects.create(
        assignment=assignment, author=over.ada, interface="python", edited_at=timezone.now(),
        data=zlib.compress(Sources((SourceFile("agent.py", worlds.SOURCE),)).archive()),
    )  # fmt: skip
    of_type: dict[Any, object] = {
        User: over.ida,
        Course: over.course,
        Assignment: assignment,
        Team: submission.team,
        Submission: submission,
        Evaluation: evaluation,
        Draft: draft,
        DraftOrigin: DraftOrigin(assignment=assignment, interface="python", submission=submission),
        GameResult: GameResult(evaluation=evaluation),
        AuditRun: Audit(evaluation=evaluation),
        Enrolment: over.course.enrolments.get(user=over.ada),
        Section: Section.objects.create(course=over.course, name="Monday"),
        Announcement: Announcement(course=over.course),
        GradeRelease: GradeRelease(assignment=assignment),
        ManualPoints: ManualPoints(assignment=assignment, user=over.ada),
        RegradeRequest: RegradeRequest(assignment=assignment, user=over.ada),
        Ladder: ladder,
        ladders.LadderSetting: ladders.LadderSetting(),
        Tournament: tournament,
        tournaments.TournamentSetting: tournaments.TournamentSetting(sizes=(2,), rounds=1),
        Participant: Participant(tournament=tournament),
        SimilarPair: SimilarPair(comparison=comparison, first=submission, second=submission),
        Place: PLACE,
        LadderEntry: LadderEntry(ladder=ladder),
        "outcome": Outcome.CHANGED,
        "user": over.ada,
        "invite_code": over.course.invite_code,
        "join_code": submission.team.join_code,
        "email": "new@uni.example",
        "password": "play-hanabi-together",
        Identity: Identity(
            provider="uni",
            provider_name="Uni",
            subject="7",
            email="new@uni.example",
            is_verified=True,
            name="New",
        ),
    }
    return of_type


def test_an_archived_course_refuses_every_service(things: dict[Any, object]) -> None:
    n_acts, said = Act.objects.count(), {}
    found = [service for service in services() if service.__name__ not in SPARED]
    for service in found:
        try:
            service(**arguments_of(service, things))
        except (Refused, ValidationError) as refusal:
            said[service.__name__] = str(refusal)
        else:
            said[service.__name__] = "nothing"
    wrong = {name: text for name, text in said.items() if "course is archived" not in text}
    assert wrong == {}
    assert len(said) > 40
    assert Act.objects.count() == n_acts


def test_an_archived_course_cannot_be_joined_by_its_code(over: World) -> None:
    with pytest.raises(Refused, match="course is archived"):
        enrol_by_code(user=worlds.person("Dora Maar"), invite_code=over.course.invite_code)


def test_no_file_is_kept_for_an_archived_course(over: World) -> None:
    token = form_token(over.ada, over.assignment)
    assert not keep_upload(
        token=token,
        filename="a.py",
        data=b"x",
        interface="",
        agent_class="",
        at=timezone.now(),
    )


def test_services_that_are_exempt_exist() -> None:
    assert SPARED.keys() <= {service.__name__ for service in services()}
