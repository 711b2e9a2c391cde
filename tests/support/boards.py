"""A course with as many teams as wanted, all of them graded: rows only, nothing is played.

One team's games are played by house agents; the others are copies of its rows with other means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from tests.support import world as worlds
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation, GameResult, Kind, Status, Verdict
from webapp.grading.evaluations.services import request_house
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.aliases import WORDS
from webapp.teaching.courses.models import Enrolment, LeaderboardVisibility, Membership, Team

HALF_WIDTH = 0.14
FACTOR = 0.067
"""Standard error of a mean of a thousand games."""


@dataclass
class BoardStory:
    """A world, the student whose row is in the middle, and a team that is being played."""

    world: World
    own: Team
    live: Team | None

    def pages(self) -> list[tuple[str, User | None, str]]:
        board = "/courses/coop/assignments/hanabi/leaderboard/"
        alias = self.own.alias.replace(" ", "%20")
        return [
            ("board-student", self.world.ada, board),
            ("board-around", self.world.ada, board + "?around=1"),
            ("board-found", self.world.ada, board + "?find=an"),
            ("board-not-found", self.world.ada, board + "?find=wren+z"),
            ("board-staff", self.world.ida, board + "?page=2"),
            ("board-visitor", None, board),
            ("board-practice", self.world.ada, board + "?kind=practice"),
            ("board-screen", None, board + "screen/"),
            ("board-agent-own", self.world.ada, f"{board}agents/{alias}/"),
            ("board-agent-visitor", None, f"{board}agents/{alias}/"),
            ("board-house", self.world.ada, board + "agents/outer/"),
            ("home-student", self.world.ada, "/"),
            ("home-visitor", None, "/"),
            ("boards", None, "/boards/"),
            ("example-game", None, "/example-game/"),
            ("visitor-play", None, "/play/"),
        ]


def tell(*, teams: int = 24, submissions: int = 3, live: bool = True) -> BoardStory:
    """Fill the board of an assignment; Ada's team is in the middle of it."""
    world = worlds.make()
    worlds.submit_and_practise(world, world.ada)
    worlds.grade(world, world.ada)
    for run in request_house(assignment=world.assignment, by=world.ida, names=["outer", "iggi"]):
        worlds.play(run, agent=run.house_agent)
    own = worlds.team_of(world, world.ada)
    world.assignment.leaderboard = LeaderboardVisibility.PUBLIC
    world.assignment.opens_at = timezone.now() - timedelta(days=30)
    world.assignment.save(update_fields=["leaderboard", "opens_at"])
    made = fill(world, own, teams=teams, submissions=submissions)
    playing = play_again(made[5 % len(made)]) if live else None
    return BoardStory(world=world, own=own, live=playing)


def fill(world: World, own: Team, *, teams: int, submissions: int) -> list[Team]:
    """Add teams around the given one, with weeks of submissions, evaluations and grades."""
    (graded,) = Evaluation.objects.current().filter(submission__team=own, kind=Kind.GRADED)
    names = iter([name for name in WORDS[7::53] + WORDS if name != own.alias])
    chosen = list(dict.fromkeys(names))[: teams - 1]
    users = User.objects.bulk_create(
        [User(email=f"s{at}@example.org", display_name=name) for at, name in enumerate(chosen)]
    )
    Enrolment.objects.bulk_create([Enrolment(course=world.course, user=user) for user in users])
    made = Team.objects.bulk_create(
        [Team(assignment=world.assignment, name=name, alias=name) for name in chosen]
    )
    Membership.objects.bulk_create(
        [
            Membership(team=team, assignment=world.assignment, user=user)
            for team, user in zip(made, users, strict=True)
        ]
    )
    means = [22.9 - at * (22.9 - 12.7) / teams for at in range(teams)]
    middle = teams // 3
    means[middle] = means[middle + 1]
    _played(graded, own, means[middle], submissions, at=middle)
    for at, team in enumerate(made):
        place = at + (at >= middle)
        _played(graded, team, means[place], submissions, at=place)
    return made


def _played(model: Evaluation, team: Team, mean: float, submissions: int, *, at: int) -> None:
    """A team's submissions, each a bit better than the one before; the last is graded."""
    team.submissions.filter(number__gt=1).delete()
    now = timezone.now()
    before = model.submission
    assert before is not None
    uploads = list(team.submissions.all()) or Submission.objects.bulk_create(
        [
            Submission(
                team=team,
                number=number,
                uploaded_by=before.uploaded_by,
                uploaded_at=now - timedelta(days=3 * (submissions - number + 1)),
                filename="agent.py",
                sha256=before.sha256,
                size_bytes=before.size_bytes,
                status=SubmissionStatus.READY,
            )
            for number in range(1, submissions + 1)
        ]
    )
    steps = [mean - 0.6 * (len(uploads) - number) * (at % 4) / 3 for number in range(len(uploads))]
    old, new = now - timedelta(days=10), now - timedelta(minutes=at)
    Evaluation.objects.filter(submission__in=uploads).update(is_current=False)
    runs = [
        _run(model, upload, Kind.PRACTICE, step, old)
        for upload, step in zip(uploads, steps, strict=True)
    ]
    final = _run(model, uploads[-1], Kind.GRADED, mean, new, faults=at % 7 == 3)
    Evaluation.objects.bulk_create([*runs, final])
    _grade(team, final, mean, old, new, at)


def _run(
    model: Evaluation,
    submission: Submission,
    kind: Kind,
    mean: float,
    finished_at: datetime,
    *,
    faults: bool = False,
) -> Evaluation:
    mean = round(mean, 2)
    return Evaluation(
        assignment=model.assignment,
        submission=submission,
        kind=kind,
        interface=model.interface,
        sha256=model.sha256,
        spec=model.spec,
        n_games=1000,
        games_done=1000,
        status=Status.FINISHED,
        verdict=Verdict.ACCEPTED,
        is_current=True,
        requested_at=finished_at,
        finished_at=finished_at,
        faults=12 if faults else 0,
        lost=31 if faults else 3,
        mean=mean,
        sd=2.2,
        standard_error=FACTOR,
        low=mean - HALF_WIDTH,
        high=mean + HALF_WIDTH,
        histogram=[[int(mean) - 1, 300], [int(mean), 400], [int(mean) + 1, 300]],
    )


def _grade(
    team: Team, final: Evaluation, mean: float, old: datetime, new: datetime, at: int
) -> None:
    """The grade of now, and for most teams one of ten days ago that was a bit different."""
    team.grades.update(is_current=False)
    points = Decimal(85 + int(mean))
    shared = {"team": team, "scheme": {}, "points": points, "full_points": points}
    if at % 9 != 8:
        before = mean - 0.5 + (at * 7 % 11) / 10
        earlier = Evaluation.objects.filter(submission__team=team, kind=Kind.PRACTICE)[0]
        Grade.objects.create(
            evaluation=earlier, mean=before, graded_at=old, is_current=False, **shared
        )
    Grade.objects.create(evaluation=final, mean=mean, graded_at=new, **shared)


def play_again(team: Team, *, done: int = 312) -> Team:
    """Let a team's graded games be played once more, and some of them be in."""
    model = Evaluation.objects.current().get(submission__team=team, kind=Kind.GRADED)
    run = _run(model, _submission(model), Kind.GRADED, 0.0, timezone.now())
    run.status, run.verdict, run.is_current = Status.PLAYING, Verdict.NONE, False
    run.finished_at = run.mean = run.low = run.high = None
    run.games_done = done
    run.save()
    add_games(run, [18 + at % 4 for at in range(done)])
    return team


def _submission(run: Evaluation) -> Submission:
    assert run.submission is not None
    return run.submission


def add_games(run: Evaluation, scores: Sequence[int]) -> None:
    """Results with these scores, from the first index on."""
    GameResult.objects.bulk_create(
        [
            GameResult(evaluation=run, index=at, score=score, scores=[score] * 2, ending="deck_out")
            for at, score in enumerate(scores)
        ]
    )
