"""A world around a game that is played against others: for tests of pages, and for pictures."""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from grader.results.grading_scheme import Beaten, GradingScheme
from tests.support import world as worlds
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services import request_house
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import LeaderboardVisibility
from webapp.teaching.courses.services import enrol_by_code, reveal_secret, set_leaderboard
from webapp.teaching.courses.stored_schemes import scheme_json

OPPONENTS = ["hearts/low_card", "hearts/careful", "hearts/guarded"]
ASSIGNMENT = "/courses/coop/assignments/hearts/"
SOURCE = b"""from firebox import Agent
from firebox.hearts import Play


class First(Agent):
    def act(self, observation):
        return observation.legal_actions[0]
"""
SCHEME = GradingScheme(
    full_mean=Decimal(10),
    full_points=Decimal(10),
    fewest_wins=True,
    beaten=(
        Beaten(opponent="hearts/low_card", won=Decimal("0.25"), points=Decimal(30)),
        Beaten(opponent="hearts/careful", won=Decimal("0.25"), points=Decimal(30)),
        Beaten(opponent="hearts/guarded", won=Decimal("0.25"), points=Decimal(30)),
    ),
)


@dataclass
class Table:
    """The world and what happened in it."""

    world: World
    submission: Submission
    practice: Evaluation
    grade: Evaluation

    def pages(self) -> list[tuple[str, User | None, str]]:
        ada, ida = self.world.ada, self.world.ida
        return [
            ("hearts-assignment", ada, ASSIGNMENT),
            ("hearts-submission", ada, f"/submissions/{self.submission.pk}/"),
            ("hearts-evaluation", ada, f"/evaluations/{self.grade.uuid}/"),
            ("hearts-games", ada, f"/evaluations/{self.grade.uuid}/games/"),
            ("hearts-game", ada, f"/evaluations/{self.grade.uuid}/games/5/"),
            ("hearts-fault", ada, f"/evaluations/{self.practice.uuid}/games/1/"),
            ("hearts-board", ada, ASSIGNMENT + "leaderboard/"),
            ("hearts-staff", ida, ASSIGNMENT + "teams/"),
            ("hearts-grades", ida, ASSIGNMENT + "grades/"),
            ("hearts-edit", ida, ASSIGNMENT + "edit/"),
            ("hearts-new", ida, "/courses/coop/new-assignment/?game=hearts"),
        ]


def make(
    *,
    games: int = 8,
    interface: str = "python",
    variant: str = "standard",
    opponents: int = len(OPPONENTS),
) -> World:
    """A course with an assignment in Hearts, two hands a game, against so many house agents."""
    now = timezone.now()
    return worlds.make(
        slug="hearts",
        title="Hearts against the house",
        description="Write an agent that plays Hearts.",
        game="hearts",
        interfaces=[interface],
        options={"variant": variant, "players": 4, "hands": 2},
        opponents=OPPONENTS[:opponents],
        grading=scheme_json(replace(SCHEME, beaten=SCHEME.beaten[:opponents])),
        n_games=games,
        practice_games=games,
        smoke_games=4,
        opens_at=now - timedelta(days=9),
        due_at=now + timedelta(days=1),
    )


def tell(*, games: int = 8) -> Table:
    """Ada's agent is good, Ben's is not; both are graded, and so are two of ours."""
    world = make(games=games)
    submission = worlds.submit_and_practise(
        world, world.ada, agent="hearts/careful", faults={1}, data=SOURCE
    )
    worlds.submit_and_practise(world, world.ben, agent="hearts/low_card", data=SOURCE)
    grade = worlds.grade(world, world.ada, agent="hearts/careful")
    worlds.grade(world, world.ben, agent="hearts/low_card")
    for name in OPPONENTS[::2]:
        (run,) = request_house(assignment=world.assignment, by=world.ida, names=[name])
        worlds.play(run, agent=name)
    set_leaderboard(
        assignment=world.assignment, by=world.ida, visibility=LeaderboardVisibility.PUBLIC
    )
    enrol_by_code(user=worlds.person("Dora Stranger"), invite_code=world.course.invite_code)
    after = world.assignment.due_at + timedelta(days=1)
    reveal_secret(assignment=world.assignment, by=world.ida, at=after)
    practice = submission.evaluations.get(kind="practice")
    return Table(world=world, submission=submission, practice=practice, grade=grade)
