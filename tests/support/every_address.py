"""A world with one of each thing that an address can name, people of every role, and addresses."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from grader.audit import AuditCause, AuditReport, Conclusion
from grader.core.games import GAMES
from grader.core.records import to_json
from tests.support import ladder_story, similar, tables, tournaments
from tests.support import world as worlds
from tests.support.game_folders import checked_folder
from tests.support.graders import GRADER_KEY
from tests.support.jobs import audit_request, audited_seats
from tests.support.linked import link_platform
from tests.support.made_programs import program, renamed
from tests.support.trusted import record_audit
from tests.support.world import World
from webapp.contests.ladders.services import LadderSetting, open_ladder
from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.services import leave, start_game
from webapp.contests.sharing.services import make_link
from webapp.contests.tournaments.models import Stage, TournamentAudit
from webapp.contests.tournaments.selectors import on_same_deal
from webapp.contests.tournaments.services import release
from webapp.grading.evaluations.models import AuditStatus
from webapp.grading.gradebook.services import ask_regrade
from webapp.grading.graders.services import register_key
from webapp.grading.similarity.services import go_on_comparing, start_comparison
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.announcements.services import post
from webapp.teaching.courses.models import Assignment, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.services import create_section, set_section

_WORD: Final = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class EveryThing:
    """The world, its people by role, and the values of the words in addresses."""

    world: World
    people: Mapping[str, User | None]
    words: Mapping[str, object]
    """By ``name of address.word``, or by word alone."""

    def address(self, name: str, route: str) -> str:
        """Return the address that a route is here."""

        def value(word: re.Match[str]) -> str:
            key = word[1]
            group = name.partition(":")[0]
            keys = (f"{name}.{key}", f"{group}.{key}", key)
            known = [self.words[each] for each in keys if each in self.words]
            if not known:
                raise LookupError(f"{__file__} does not say what <{key}> is: add {keys[1]!r}")
            return str(known[0])

        return "/" + _WORD.sub(value, route)


def routes(
    resolver: URLResolver | None = None, before: str = "", group: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the name and the route of each page."""
    for entry in (resolver or get_resolver()).url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield f"{group}:{entry.name}".lstrip(":"), route
        elif entry.namespace not in {"admin", "api"}:
            yield from routes(entry, route, entry.namespace or group)


def make(game: str = "hanabi", partner: str = "piers") -> EveryThing:
    """Ada has worked and is done with all of it, Ben has copied from her."""
    rules = GAMES[game]
    seats = 2 if rules.default_players > 1 else 1
    options = dict(rules.from_options({"players": seats}).options)
    agents = [f"house:{partner}"] * (seats - 1)
    world = worlds.make(games=4, game=game, options=options)
    source = program(1, functions=8)
    earlier = worlds.submit_and_practise(world, world.ada)
    submission = worlds.submit_and_practise(world, world.ada, data=source.encode())
    similar.hand_in(world, world.ben, renamed(source))
    evaluation = worlds.grade(world, world.ada)
    request = audit_request(evaluation.audit)
    audited = audited_seats(request, Conclusion.DIFFERS, AuditCause.PAUSES)
    record_audit(AuditReport(audit=request.audit, seats=audited))
    asked = ask_regrade(assignment=world.assignment, user=world.ada, text="Why so few?")
    table = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=agents)
    ended = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=agents)
    leave(game=ended, by=world.ada)
    link = make_link(game=HumanGame.objects.get(pk=ended.pk), by=world.ada, shows_names=False)
    words: dict[str, object] = {
        "course_slug": world.course.slug,
        "assignment_slug": world.assignment.slug,
        "enrolment": world.course.enrolments.get(user=world.ada).pk,
        "team": submission.team.pk,
        "index": 0,
        "submissions.pk": submission.pk,
        "submissions.draft": worlds.try_draft_of(submission).pk,
        "evaluations.uuid": evaluation.uuid,
        "evaluations:choose_beside.uuid": submission.evaluations.get(kind="practice").uuid,
        "evaluations:beside.uuid": submission.evaluations.get(kind="practice").uuid,
        "evaluations.other": earlier.evaluations.get(kind="practice").uuid,
        "gradebook.pk": asked.pk,
        "gradebook.system": "canvas",
        "playing.uuid": table.uuid,
        "sharing.uuid": evaluation.uuid,
        "sharing.column": "human_game",
        "sharing.key": ended.pk,
        "sharing.pk": link.pk,
        "sharing.token": link.token,
        "courses.interface": "python",
        "leaderboards.name": submission.team.alias,
        **(_tournament(world) if agents else _NO_TOURNAMENT),
        **_of_staff(world),
        **_of_site(world),
    }
    words["entry"] = _ladder(world, partner) if agents else 0
    link_platform(assignment=world.assignment, by=world.ida, users=[world.ada, world.ben])
    _compare(world)
    return EveryThing(world, _people(world), words)


_NO_TOURNAMENT: Final[Mapping[str, object]] = {
    "tournaments.uuid": uuid4(),
    "tournaments.number": 0,
    "tournaments.pk": 1,
    "tournaments.other": 2,
    "tournaments.table": "standings",
    "tournaments.name": "nobody",
}


def _tournament(world: World) -> dict[str, object]:
    tournament = tournaments.start(world)
    tables.play(tournament, tables=2)
    release(tournament=tournament, by=world.ida, stage=Stage.RESULTS)
    game = tournament.games.earliest("pk")
    TournamentAudit.objects.create(
        participant=tournament.participants.get(number=0),
        n_games=1,
        seed=1,
        status=AuditStatus.FINISHED,
        created_at=timezone.now(),
        finished_at=timezone.now(),
        report_json=to_json(AuditReport(audit="x")),
        flags=1,
    )
    return {
        "tournaments.uuid": tournament.uuid,
        "tournaments.number": 0,
        "tournaments.pk": game.pk,
        "tournaments.other": next(iter(on_same_deal(game)), game).pk,
        "tournaments.table": "standings",
        "tournaments.name": tournament.participants.get(number=0).name,
    }


def _of_staff(world: World) -> dict[str, object]:
    section = create_section(course=world.course, by=world.ida, name="Monday")
    place = world.course.enrolments.get(user=world.ada)
    set_section(enrolment=place, by=world.ida, section=section)
    news = post(course=world.course, by=world.ida, title="Room", text="B", at=timezone.now())
    return {
        "courses:edit_section.pk": section.pk,
        "courses:delete_section.pk": section.pk,
        "courses:delete_announcement.pk": news.pk,
        "courses.folder": checked_folder(world.course, world.ida).sha256,
        "undo.act": Act.objects.get(by=world.ida, kind="people.section").pk,
    }


def _of_site(world: World) -> dict[str, object]:
    """Have a grader wait for an operator. The rest of the words name nothing that is there."""
    key = register_key(public_key=GRADER_KEY, name="lab-3", at=timezone.now())
    return {
        "operations.key": key.pk,
        "accounts.pk": 1,
        "lifecycle.pk": world.ada.pk,
        "lti.pk": 1,
        "similarity.place": 1,
        "slug": "rules",
        "name": "firebox.whl",
        "token": "x-y",
        "uidb64": "MQ",
        "provider_id": "x",
        "organization_slug": "x",
    }


def _ladder(world: World, house_agent: str) -> int:
    setting = LadderSetting(house_agents=(house_agent,))
    ladder = open_ladder(assignment=world.assignment, by=world.ida, setting=setting)
    ladder_story.meet(ladder, tables_to_play=1)
    return ladder.entries.filter(submission__team__memberships__user=world.ada)[0].number


def _compare(world: World) -> None:
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(hours=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(minutes=1))
    world.assignment.refresh_from_db()
    start_comparison(assignment=world.assignment, by=world.ida)
    go_on_comparing(at=now, seconds=60)


def _people(world: World) -> Mapping[str, User | None]:
    """Return a user of every role; make those who are not in the cast."""

    def enrolled(name: str, **fields: Any) -> User:
        user = worlds.person(name)
        Enrolment.objects.create(course=world.course, user=user, **fields)
        return user

    return {
        "visitor": None,
        "stranger": worlds.person("Dora Stranger"),
        "withdrawn": enrolled("Wim Gone", state=EnrolmentState.WITHDRAWN),
        "student": world.ben,
        "owner": world.ada,
        "observer": enrolled("Olaf Reader", role=Role.OBSERVER),
        "grader": enrolled("Gus Marker", role=Role.GRADER),
        "assistant": world.cleo,
        "instructor": world.ida,
        "operator": User.objects.create_superuser("op@uni.example", display_name="Opal"),
    }
