"""The subjects of faults: a graded evaluation, a smoke test, or a turn of a person's game.

Each tells how far it is, and how it differs from an undisturbed one.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from django.db.models import QuerySet

from grader.core.live import ANSWER_SEAT
from tests.support import world
from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.services import leave, play_again, start_game
from webapp.grading.evaluations.models import Evaluation, Kind, Status, Verdict
from webapp.grading.evaluations.services import cancel, grade_team
from webapp.grading.jobs.models import Job

_UNDER_WAY: Final = (Status.QUEUED, Status.PLAYING, Status.FAILED)

Games = dict[int, tuple[list[int], str]]


class Subject(Protocol):
    """Something that graders play and the site records."""

    task: str
    """The name of the task that records its reports."""
    first_reports: int
    """The number of reports to wait for before a fault in the phase "reporting"."""
    total: int
    """The number of games or moves to record."""

    def jobs(self) -> QuerySet[Job]:
        """Its jobs."""

    def marks(self) -> list[str]:
        """Return words of which each of its requests has one in the message's header."""

    def is_finished(self) -> bool:
        """Return whether nothing is left to do. Raises AssertionError if it failed."""

    def recorded(self) -> int:
        """Return how much of its total is recorded."""

    def difference(self) -> str:
        """Name the difference from the undisturbed one; empty if there is none."""


def games_of(evaluation: Evaluation) -> Games:
    games: Games = {}
    for result in evaluation.results.all():
        assert result.record is not None
        games[result.index] = (result.scores, result.record.actions)
    return games


class _Played:
    task = "webapp.record_batch"
    first_reports: int

    def __init__(self, evaluation: Evaluation, undisturbed: Evaluation) -> None:
        """``undisturbed`` has played the same games."""
        self.evaluation = evaluation
        self.total = undisturbed.n_games
        self._undisturbed = undisturbed

    def jobs(self) -> QuerySet[Job]:
        return self.evaluation.jobs.all()

    def marks(self) -> list[str]:
        return [str(uuid) for uuid in self.jobs().values_list("uuid", flat=True)]

    def is_finished(self) -> bool:
        self.evaluation.refresh_from_db()
        assert self.evaluation.status != Status.FAILED, self.evaluation.system_fault
        return bool(self.evaluation.status == Status.FINISHED)

    def recorded(self) -> int:
        return self.evaluation.results.count()

    def difference(self) -> str:
        evaluation, undisturbed = self.evaluation, self._undisturbed
        if faults := evaluation.results.exclude(fault_kind=""):
            details = faults.values_list("index", "fault_kind", "fault_detail")
            return f"{len(faults)} games with faults, such as {list(details[:3])}"
        games, expected = games_of(evaluation), games_of(undisturbed)
        if games != expected:
            wrong = [index for index in expected if games.get(index) != expected[index]]
            return f"{len(games)} games, others than undisturbed: {wrong[:9]}"
        if (evaluation.mean, evaluation.verdict) != (undisturbed.mean, Verdict.ACCEPTED):
            return f"mean {evaluation.mean}, {evaluation.verdict}"
        return ""


class Graded(_Played):
    """The graded evaluation of Ada's team."""

    first_reports = 2

    @classmethod
    def begin(cls, people: world.World, undisturbed: Evaluation) -> "Graded":
        evaluation = grade_team(team=world.team_of(people, people.ada), by=people.ida)
        return cls(evaluation, undisturbed)


class SmokeTest(_Played):
    """The smoke test of an upload of Ben's; the practice that follows must end, too.

    His are many. Of Ada's, the first must remain one of those with which she may play.
    """

    first_reports = 1

    @classmethod
    def begin(cls, people: world.World, undisturbed: Evaluation, agent: bytes) -> "SmokeTest":
        submission = world.upload(people, people.ben, filename="a.zip", data=agent)
        return cls(submission.evaluations.get(kind=Kind.SMOKE), undisturbed)

    def is_finished(self) -> bool:
        if not super().is_finished():
            return False
        return not self.evaluation.submission.evaluations.open().exists()


@dataclass(slots=True)
class Turn:
    """The first move in a game of Ada's, which her own agent makes."""

    game: HumanGame
    by: world.User
    expected: str
    """The undisturbed move; empty in the undisturbed game itself."""
    task: str = "webapp.record_answer"
    first_reports: int = 1
    total: int = 1

    @classmethod
    def first(cls, people: world.World, submission: int) -> "Turn":
        agents = [f"submission:{submission}"]
        game = start_game(assignment=people.assignment, by=people.ada, seat=1, agents=agents)
        return cls(game, people.ada, "")

    def again(self) -> "Turn":
        """Begin the same game again; this one must be finished."""
        game = play_again(game=self.game, by=self.by, same_deal=True)
        return Turn(game, self.by, self.expected or self.game.actions)

    def jobs(self) -> QuerySet[Job]:
        return Job.objects.filter(human_game=self.game)

    def marks(self) -> list[str]:
        return [ANSWER_SEAT]

    def is_finished(self) -> bool:
        """Return whether the agent has moved; Ada then leaves the game."""
        self.game.refresh_from_db()
        assert not self.game.system_fault, self.game.system_fault
        if not self.game.turns:
            return False
        leave(game=self.game, by=self.by)
        self.game.refresh_from_db()
        return True

    def recorded(self) -> int:
        self.game.refresh_from_db()
        return int(self.game.turns)

    def difference(self) -> str:
        moves = self.game.actions
        return "" if moves == self.expected else f"{moves!r}, undisturbed {self.expected!r}"


def cancel_all(people: world.World) -> None:
    for evaluation in Evaluation.objects.filter(status__in=_UNDER_WAY):
        cancel(evaluation=evaluation, by=people.ida)
    for game in HumanGame.objects.open():
        leave(game=game, by=people.ada)
