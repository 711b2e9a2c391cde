"""A world in which every page has something to show: for browser tests and screenshots."""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from grader.audit import (
    Attempt,
    AuditCause,
    AuditEvidence,
    AuditReport,
    Conclusion,
    Pace,
    SeatAudit,
)
from tests.support import world as worlds
from tests.support.graders import FAILED, GRADER_KEY, PASSED, a_report, a_signer
from tests.support.jobs import audit_request
from tests.support.trusted import record_audit
from tests.support.world import World
from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.selectors import data_of
from webapp.contests.playing.services import act, leave, start_game
from webapp.contests.sharing.models import GameLink
from webapp.contests.sharing.services import make_link
from webapp.flow.pipeline import answer_regrade
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services import grade_team, request_house
from webapp.grading.gradebook.models import RegradeRequest
from webapp.grading.gradebook.services import ask_regrade, set_points
from webapp.grading.graders.services import admit_key, register_key
from webapp.grading.operations.services import record_grader
from webapp.grading.submissions.models import Submission
from webapp.pages.guide.pages import PAGES
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Enrolment, LeaderboardVisibility, Team
from webapp.teaching.courses.services import (
    accommodate,
    create_assignment,
    create_section,
    enrol_by_code,
    extend_deadline,
    extend_student,
    set_leaderboard,
    set_section,
    set_section_dates,
    update_course,
)

BROKEN = b"from firebox import Agent\n\n\nclass Mine(Agent)\n    def act(self, observation):\n"


@dataclass
class Story:
    """The world and what happened in it."""

    world: World
    dora: User
    rejected: Submission
    faulted: Submission
    playing: Submission
    graded: Submission
    better: Submission
    """The second of its team."""
    faulty: Evaluation
    grade: Evaluation
    failed: Evaluation
    house: Evaluation
    extended: Team
    table: HumanGame
    """One that Ada plays with a house agent."""
    left: HumanGame
    """One that she has left."""
    link: GameLink
    """Ada's, to a practice game."""
    asked: RegradeRequest
    """Ada's, not answered yet."""
    delayed: Enrolment
    """A student with every kind of more time in the second assignment."""
    olga: User

    def pages(self) -> list[tuple[str, User | None, str]]:
        world = self.world
        return [
            *[(name, None, address) for name, address in VISITORS],
            ("public-game", None, f"/shared/{self.link.token}/?turn=30"),
            ("public-embed", None, f"/shared/{self.link.token}/embed/?turn=30"),
            *[(f"student-{name}", world.ada, address) for name, address in self._ada()],
            ("student-empty", self.dora, ASSIGNMENT),
            ("student-late-policy", self.dora, SECOND + "dates/"),
            ("student-home-empty", self.dora, "/"),
            ("student-forbidden", world.ada, ASSIGNMENT + "teams/"),
            ("student-playing", world.ben, f"/submissions/{self.playing.pk}/"),
            *[(f"staff-{name}", world.ida, address) for name, address in self._ida()],
            ("operator-graders", self.olga, "/operations/graders/"),
        ]

    def _ada(self) -> list[tuple[str, str]]:
        game = self.faulty.results.exclude(fault_kind="").order_by("index")[0]
        return [
            ("home", "/"),
            ("course", COURSE),
            ("assignment", ASSIGNMENT),
            ("rejected", f"/submissions/{self.rejected.pk}/"),
            ("faulted", f"/submissions/{self.faulted.pk}/"),
            ("editor", f"{ASSIGNMENT}editor/?submission={self.faulted.pk}"),
            ("editor-kit", f"{ASSIGNMENT}editor/"),
            ("submission", f"/submissions/{self.graded.pk}/"),
            ("evaluation", f"/evaluations/{self.grade.uuid}/"),
            ("games", f"/evaluations/{self.faulty.uuid}/games/"),
            ("game", f"/evaluations/{self.faulty.uuid}/games/0/?turn=30"),
            ("game-as-a-seat", f"/evaluations/{self.faulty.uuid}/games/3/?turn=30&as=0"),
            ("share", f"/share/result/{self.link.result_id}/"),
            ("play-on", f"/evaluations/{self.faulty.uuid}/games/0/on/?turn=30"),
            ("play-new", ASSIGNMENT + "play/"),
            ("play", f"/play/{self.table.uuid}/"),
            ("play-over", f"/play/{self.left.uuid}/?turn=3"),
            ("game-fault", f"/evaluations/{self.faulty.uuid}/games/{game.index}/"),
            ("leaderboard", ASSIGNMENT + "leaderboard/"),
            ("leaderboard-practice", ASSIGNMENT + "leaderboard/?kind=practice"),
            ("dates", ASSIGNMENT + "dates/"),
            ("grade", ASSIGNMENT + "my-grade/"),
            ("total", COURSE + "my-grades/"),
            ("profile", "/accounts/profile/"),
            ("password", "/accounts/password/"),
        ]

    def _ida(self) -> list[tuple[str, str]]:
        return [
            ("home", "/"),
            ("course", COURSE),
            ("course-new", "/new-course/"),
            ("course-edit", COURSE + "edit/"),
            ("people", COURSE + "people/"),
            ("person", f"{COURSE}people/{self.delayed.pk}/"),
            ("import", COURSE + "people/import/"),
            ("log", COURSE + "log/"),
            ("dates", f"{SECOND}dates/{self.delayed.pk}/"),
            ("section-dates", SECOND + "sections/"),
            ("assignment", ASSIGNMENT),
            ("assignment-new", COURSE + "new-assignment/"),
            ("assignment-edit", ASSIGNMENT + "edit/"),
            ("teams", ASSIGNMENT + "teams/"),
            ("teams-empty", COURSE + "assignments/second/teams/"),
            ("confirm", ASSIGNMENT + "grade/confirm/"),
            ("remind", f"{ASSIGNMENT}teams/remind/?student={self.delayed.pk}"),
            ("extension", f"{ASSIGNMENT}teams/{self.extended.pk}/extension/"),
            ("grades", ASSIGNMENT + "grades/"),
            ("grade", f"{ASSIGNMENT}grades/{self._place.pk}/"),
            ("gradebook", COURSE + "grades/"),
            ("release", ASSIGNMENT + "grades/release/"),
            ("release-held", SECOND + "grades/release/"),
            ("regrades", COURSE + "regrades/"),
            ("regrade", f"{COURSE}regrades/{self.asked.pk}/"),
            ("leaderboard", ASSIGNMENT + "leaderboard/"),
            ("leaderboard-empty", COURSE + "assignments/second/leaderboard/"),
            ("failed", f"/evaluations/{self.failed.uuid}/"),
            ("house", f"/evaluations/{self.house.uuid}/"),
            ("audit", f"/evaluations/{self.grade.uuid}/"),
            ("better", f"/submissions/{self.better.pk}/"),
            ("changes", f"/submissions/{self.better.pk}/changes/?since={self.graded.pk}"),
            ("compare", self._compare),
            ("game-beside", self._beside),
        ]

    @property
    def _place(self) -> Enrolment:
        return self.world.course.enrolments.get(user=self.world.ada)

    @property
    def _beside(self) -> str:
        other = self.better.evaluations.get(kind="practice")
        return f"/evaluations/{self.faulty.uuid}/games/3/beside/{other.uuid}/?turn=20"

    @property
    def _compare(self) -> str:
        other = self.better.evaluations.get(kind="practice")
        return f"{ASSIGNMENT}compare/?a={other.uuid}&b={self.faulty.uuid}"


COURSE = "/courses/coop/"
ASSIGNMENT = COURSE + "assignments/hanabi/"
SECOND = COURSE + "assignments/second/"
VISITORS = [
    ("welcome", "/"),
    ("register", "/accounts/register/"),
    ("lobby", "/play/"),
    ("sign-in", "/accounts/sign-in/?next=/courses/coop/"),
    ("reset", "/accounts/password/reset/"),
    ("reset-sent", "/accounts/password/reset/sent/"),
    ("reset-link", "/accounts/password/reset/MQ/x-y/"),
    ("missing", "/no/such/page/"),
    ("public-leaderboard", ASSIGNMENT + "leaderboard/"),
    ("guide", "/guide/"),
    ("guide-search", "/guide/search/?q=late+days"),
    ("guide-search-nothing", "/guide/search/?q=timout"),
    *[(f"guide-{entry.slug}", f"/guide/{entry.slug}/") for entry in PAGES],
]


def tell(*, games: int = 12) -> Story:
    """Play it all; ``games`` is the length of the graded and practice evaluations."""
    world = worlds.make(games=games)
    students = [
        enrolled(world, name)
        for name in ("Dora Maar", "Emil Noether", "Fay Ajzenberg", "Gil Strang", "Hedy Kiesler")
    ]
    dora, emil, fay, gil, hedy = students
    rejected = worlds.upload(world, world.ada, data=BROKEN)
    worlds.reject(rejected.evaluations.get())
    faulted = worlds.upload(world, world.ada)
    worlds.play(faulted.evaluations.get(), faults={0, 1, 2})
    worlds.try_draft_of(faulted, faults={0, 2})
    graded = worlds.submit_and_practise(
        world, world.ada, agent="piers", faults={1, 5, 6}, filename="twin.py"
    )
    worlds.submit_and_practise(world, emil, agent="information")
    worlds.submit_and_practise(world, fay, agent="iggi")
    worlds.submit_and_practise(world, gil, agent="iggi")
    worlds.submit_and_practise(world, hedy, agent="outer")
    grade = worlds.grade(world, world.ada, agent="piers", faults={2})
    record_audit(flagged(grade))
    worlds.grade(world, emil, agent="information")
    worlds.grade(world, fay, agent="iggi")
    worlds.grade(world, gil, agent="iggi")
    better = worlds.submit_and_practise(world, gil, agent="convention")
    failed = worlds.fail(grade_team(team=worlds.team_of(world, hedy), by=world.ida))
    house = reference_lines(world)
    playing = worlds.upload(world, world.ben)
    worlds.play(playing.evaluations.get())
    worlds.play(playing.evaluations.get(kind="practice"), upto=games // 3)
    second_assignment(world)
    extended = worlds.team_of(world, world.ben)
    for days, reason in ((12, "Ill for a week"), (14, "Still ill, doctor's note seen")):
        until = world.assignment.due_at + timedelta(days=days)
        extend_deadline(team=extended, by=world.ida, due_at=until, reason=reason)
    set_leaderboard(
        assignment=world.assignment, by=world.ida, visibility=LeaderboardVisibility.PUBLIC
    )
    practice = graded.evaluations.get(kind="practice")
    return Story(
        world=world,
        dora=dora,
        rejected=rejected,
        faulted=faulted,
        playing=playing,
        graded=graded,
        better=better,
        faulty=practice,
        grade=grade,
        failed=failed,
        house=house,
        table=table_of(world),
        left=table_of(world, ended=True),
        link=make_link(game=practice.results.get(index=0), by=world.ada, shows_names=False),
        asked=asked_about(world),
        extended=extended,
        delayed=give_time(world, dora),
        olga=operations(),
    )


def asked_about(world: World) -> RegradeRequest:
    """Ada's grade: points by hand, an answered request and an open one."""
    place = world.course.enrolments.get(user=world.ada)
    set_points(
        enrolment=place,
        assignment=world.assignment,
        by=world.ida,
        points=Decimal("2.5"),
        comment="A fine use of the discard convention.\n\nSee turn 31 of game 4.",
        reason="Talk in the tutorial",
    )
    text = "Game 4 ended with a timeout, though the agent was waiting for its turn."
    first = ask_regrade(assignment=world.assignment, user=world.ada, text=text)
    why = "The log shows 1.2 s of computing in turn 17: the limit is 1 s for everybody."
    answer_regrade(request=first, by=world.ida, outcome="kept", answer=why)
    again = "Turn 17 was charged while the grader was being restarted, says its status page."
    return ask_regrade(assignment=world.assignment, user=world.ada, text=again)


def operations() -> User:
    """Olga runs the machines: a grader that is well, one that refuses work, one that is gone.

    A machine is admitted, another one waits.
    """
    now = timezone.now()
    admit_key(public_key=GRADER_KEY, name="host.of-long-name.cs.uni.example", at=now)
    register_key(public_key=a_signer(2).public_key, name="lab-3", at=now)
    record_grader(a_report(), key=GRADER_KEY)
    record_grader(
        a_report(name="smoke@host", queues=("smoke",), checks=(PASSED, FAILED)), key=GRADER_KEY
    )
    past = now - timedelta(hours=7)
    record_grader(a_report(name="games@an-older-host.cs.uni.example", sent_at=past), key=GRADER_KEY)
    return User.objects.create_superuser("olga@uni.example", display_name="Olga Taussky")


EVIDENCE = AuditEvidence(
    turn=5,
    recorded="d4",
    paused_us=60_382,
    charged_us=412,
    attempts=(
        Attempt(pace=Pace.INSTANT, paused_us=0, action="d0", fault=None, charged_us=300),
        Attempt(pace=Pace.RECORDED, paused_us=60_382, action="d4", fault=None, charged_us=301),
    ),
    words={"d4": "seat 2 discards card 5, the red 1", "d0": "seat 2 discards card 1, the blue 2"},
)
SAME = SeatAudit(index=0, seat=0, conclusion=Conclusion.SAME, turns=20, runs=4)
DIFFERS = replace(
    SAME, seat=1, conclusion=Conclusion.DIFFERS, cause=AuditCause.PAUSES, evidence=EVIDENCE
)


def flagged(evaluation: Evaluation) -> AuditReport:
    """An audit with a flag, a seat that is not auditable, and one that nobody looked at."""
    request = audit_request(evaluation.audit)
    first, second = (game.index for game in request.games[:2])
    seats = (
        replace(SAME, index=first),
        replace(DIFFERS, index=first),
        replace(SAME, index=second, conclusion=Conclusion.NOT_AUDITABLE, evidence=EVIDENCE),
        replace(SAME, index=second, seat=1, conclusion=Conclusion.LEFT_OUT),
    )
    return AuditReport(audit=request.audit, seats=seats)


def enrolled(world: World, name: str) -> User:
    user = worlds.person(name)
    enrol_by_code(user=user, invite_code=world.course.invite_code, student_number="4711")
    return user


def reference_lines(world: World) -> Evaluation:
    runs = request_house(assignment=world.assignment, by=world.ida, names=["outer", "piers"])
    return [worlds.play(run, agent=run.house_agent) for run in runs][-1]


def table_of(world: World, *, ended: bool = False) -> HumanGame:
    """A game that Ada plays with a house agent, three moves of hers in."""
    game = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=["house:piers"])
    for _ in range(3):
        move = data_of(game)["legal"][-1]["move"]
        act(game=game, by=world.ada, turn=game.turns, move=move)
    if ended:
        leave(game=game, by=world.ada)
    return game


def give_time(world: World, user: User) -> Enrolment:
    """Late days, a section's own dates, an accommodation and an extension."""
    update_course(course=world.course, by=world.ida, late_days=3)
    second = world.course.assignments.get(slug="second")
    place = world.course.enrolments.select_related("course", "user").get(user=user)
    tuesday = create_section(course=world.course, by=world.ida, name="Tuesday")
    set_section(enrolment=place, by=world.ida, section=tuesday)
    set_section_dates(
        assignment=second,
        section=tuesday,
        by=world.ida,
        due_at=second.due_at + timedelta(days=1),
        grace_minutes=15,
        max_late_days=2,
        penalty_percent=Decimal(10),
        hard_end_at=second.due_at + timedelta(days=90),
    )
    accommodate(enrolment=place, by=world.ida, time_percent=150, reason="Disability office")
    until = second.due_at + timedelta(days=30)
    extend_student(
        enrolment=place, assignment=second, by=world.ida, due_at=until, reason="Ill for a week"
    )
    return place


def second_assignment(world: World) -> None:
    """One that nobody has touched."""
    create_assignment(
        course=world.course,
        by=world.ida,
        slug="second",
        title="Hanabi for five",
        options={"variant": "uwa", "players": 5},
        holds_grades=True,
        due_at=timezone.now() + timedelta(days=40),
    )
