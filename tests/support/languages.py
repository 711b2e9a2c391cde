"""A world whose students write in several languages: for browser tests and screenshots."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.utils import timezone

from grader.core.records import BatchPhase, BuildMessage, BuildReport
from tests.support import world as worlds
from tests.support.grading import grade_teams
from tests.support.world import World
from webapp.flow.pipeline import accept_from
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services import request_house
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.services import create_assignment, set_student_number

AGENTS: Final = Path(__file__).parents[1] / "grader" / "interfaces"
PLAYER: Final = (AGENTS / "gcc_cpp" / "agents" / "veteran" / "Player.h").read_bytes()
ROBOT: Final = (AGENTS / "ensta" / "agents" / "careful" / "robot.py").read_bytes()
BROKEN: Final = b"""package agents;

import hanabAI.*;

public class Agent10000009 implements Agent {
    public String toString() { return "Nine"; }

    public Action doAction(State s) {
        int slot = firstPlayable(s);
        return new Action(s.getNextPlayer(), toString(), ActionType.PLAY, slot)
    }
}
"""
COMPLAINTS: Final = (
    (9, 20, "cannot find symbol\n  symbol:   method firstPlayable(hanabAI.State)"),
    (10, 80, "';' expected"),
)
SEVERAL: Final = "/courses/coop/assignments/hanabi/"
JAVA: Final = "/courses/coop/assignments/java/"


@dataclass
class Languages:
    """The world and what happened in it."""

    world: World
    java: Assignment
    rejected: Submission
    noted: Submission
    shared: Evaluation
    single: Evaluation

    def pages(self) -> list[tuple[str, User, str]]:
        ada, ben, ida = self.world.ada, self.world.ben, self.world.ida
        return [
            ("several-assignment", ada, SEVERAL),
            ("java-assignment", ada, JAVA),
            ("java-rejected", ada, f"/submissions/{self.rejected.pk}/"),
            ("cpp-noted", ada, f"/submissions/{self.noted.pk}/"),
            ("number-profile", ben, "/accounts/profile/"),
            ("several-leaderboard", ben, SEVERAL + "leaderboard/"),
            ("team-mode", ben, f"/evaluations/{self.shared.uuid}/"),
            ("several-new", ida, "/courses/coop/new-assignment/"),
            ("several-edit", ida, SEVERAL + "edit/"),
            ("java-edit", ida, JAVA + "edit/"),
            ("several-teams", ida, SEVERAL + "teams/"),
            ("number-people", ida, "/courses/coop/people/"),
        ]


def tell(*, games: int = 12) -> Languages:
    """Ada writes in C++ and in Java, Ben for the module hanabi."""
    world = worlds.make(games=games, interfaces=["python", "gcc-cpp", "ensta-python"])
    java = create_assignment(
        course=world.course,
        by=world.ida,
        slug="java",
        title="Hanabi in Java",
        due_at=timezone.now() + timedelta(days=20),
        interfaces=["uwa-java"],
        interface_options=["legacy_first_state"],
        options={"variant": "uwa", "players": 5},
        checks_student_number=True,
    )
    place = world.course.enrolments.get(user=world.ada)
    set_student_number(enrolment=place, by=world.ada, number="10000009")
    noted = _noted(world)
    robot = accept_from(
        user=world.ben, assignment=world.assignment, filename="robot.py", data=ROBOT
    )
    worlds.play(robot.evaluations.get(), agent="outer")
    worlds.play(robot.evaluations.get(kind="practice"), agent="outer")
    graded = {}
    for evaluation in grade_teams(world.assignment, world.ida):
        graded[evaluation.interface] = worlds.play(
            evaluation, agent="outer" if evaluation.interface == "ensta-python" else "piers"
        )
    for reference in request_house(assignment=world.assignment, by=world.ida, names=["iggi"]):
        worlds.play(reference)
    return Languages(
        world=world,
        java=java,
        rejected=_rejected(world, java),
        noted=noted,
        shared=graded["ensta-python"],
        single=graded["gcc-cpp"],
    )


def _noted(world: World) -> Submission:
    """A build that went well, and left out files of the engine's."""
    submission = accept_from(
        user=world.ada, assignment=world.assignment, filename="Player.h", data=PLAYER
    )
    smoke = submission.evaluations.get()
    note = BuildMessage(file="Card.h", line=0, column=0, text="not used: the engine's own file is")
    _built(smoke, BuildReport(ok=True, messages=(note,), log="g++: 1 file"))
    worlds.play(smoke, agent="piers")
    worlds.play(submission.evaluations.get(kind="practice"), agent="piers", faults={3, 7})
    submission.refresh_from_db()
    return submission


def _rejected(world: World, java: Assignment) -> Submission:
    """The complaints of the compiler."""
    submission = accept_from(
        user=world.ada, assignment=java, filename="Agent10000009.java", data=BROKEN
    )
    messages = tuple(
        BuildMessage(file="Agent10000009.java", line=line, column=column, text=text)
        for line, column, text in COMPLAINTS
    )
    _built(submission.evaluations.get(), BuildReport(ok=False, messages=messages))
    submission.refresh_from_db()
    return submission


def _built(evaluation: Evaluation, build: BuildReport) -> None:
    batch = evaluation.jobs.get()
    worlds.say(evaluation, batch.uuid, BatchPhase.BUILT, builds=(build,))
