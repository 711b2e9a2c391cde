"""Evaluations while everything breaks: N games each, the same as undisturbed, and soon.

``make chaos RUNS=200 SEED=1`` prints what came of them. The first run with each fault that has an
alert lasts until the rule of that alert holds.
"""

import io
import os
import random
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
import yaml
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from grader import house
from tests.chaos.planning import ALERTS, PHASES, Outcome, Run, is_firing, plan, table
from tests.chaos.stage import FAULTS, Stage, stopped
from tests.support import world
from tests.support.deployment import Deployment
from tests.support.docker_daemon import DockerDaemon
from tests.support.processes import wait_until
from tests.support.redis_server import RedisServer
from tests.support.stepped_clock import SteppedClock
from tests.support.zips import zipped
from webapp.evaluations.models import Evaluation, GameResult, Status, Verdict
from webapp.evaluations.services import cancel, grade_team
from webapp.metrics import exposition

pytestmark = [pytest.mark.docker, pytest.mark.redis, pytest.mark.slow, pytest.mark.deep]

RUNS: Final = int(os.environ.get("CHAOS_RUNS", str(len(PHASES))))
SEED: Final = int(os.environ.get("CHAOS_SEED", "1"))
GAMES: Final = 150
RECOVERY_SECONDS: Final = 120.0
"""The most from the end of a fault to the end of the evaluation, on a busy machine."""
ALERT_SECONDS: Final = 60.0
"""The most from a fault to its alert: with the rule's delay, and Prometheus' looks at figures and
rules."""
AGENT: Final = """
import time

from house.iggi import Iggi


class Agent(Iggi):
    # A tenth of a second a game, so that games are still played when a fault comes.
    def act(self, observation):
        time.sleep(0.002)
        return super().act(observation)
"""
RULES: Final = Path(__file__).parents[2] / "deploy" / "monitoring" / "alerts.yaml"

_UNDER_WAY: Final = (Status.QUEUED, Status.PLAYING, Status.FAILED)

Games = dict[int, tuple[list[int], str]]


@pytest.fixture
def clock(tmp_path: Path) -> SteppedClock:
    """The clock of the results worker."""
    return SteppedClock(tmp_path)


@pytest.fixture
def workers(
    own_docker: DockerDaemon, environment: dict[str, str], tmp_path: Path, clock: SteppedClock
) -> Iterator[Deployment]:
    """A deployment on an engine of its own, which keeps no sandbox from one run to the next."""
    extra = {"FIREBOX_LEASE_SECONDS": "3", "FIREBOX_OPEN_SANDBOXES": "0"}
    settings = environment | own_docker.settings | extra
    deployment = Deployment(tmp_path, settings, of_results=clock.settings)
    try:
        deployment.start()
        yield deployment
    finally:
        deployment.stop()


def is_finished(evaluation: Evaluation) -> bool:
    evaluation.refresh_from_db()
    assert evaluation.status != Status.FAILED, evaluation.system_fault
    return bool(evaluation.status == Status.FINISHED)


def recorded(evaluation: Evaluation) -> int:
    return GameResult.objects.filter(evaluation=evaluation).count()


def games_of(evaluation: Evaluation) -> Games:
    """The scores and the actions of each game."""
    games: Games = {}
    for result in evaluation.results.all():
        assert result.record is not None
        games[result.index] = (result.scores, result.record.actions)
    return games


def figures() -> dict[str, float]:
    """Return the samples of /metrics by name and values of labels."""
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(exposition().decode())
        for sample in family.samples
    }


class Chaos:
    """Runs one evaluation after another, and compares each with the one before all faults."""

    def __init__(self, people: world.World, stage: Stage) -> None:
        self._people, self._stage = people, stage
        (group,) = yaml.safe_load(RULES.read_text())["groups"]
        self._rules = {rule["alert"]: rule for rule in group["rules"]}
        self._look_seconds = _seconds(group["interval"])
        self._expected = games_of(stage.evaluation)
        self._mean = stage.evaluation.mean
        self._alerted: set[str] = set()

    def outcome_of(self, run: Run) -> Outcome:
        """Break and mend; say what came of it."""
        stage, alert, mended = self._stage, "", time.monotonic()
        try:
            stage.workers.start()
            with ExitStack() as phase:
                stage = self._begin(run, phase)
                before = figures()
                with FAULTS[run.fault](stage):
                    if run.fault == "lie":
                        phase.close()  # lies are rejected by a worker that runs
                    alert = self._last(run, before)
                    phase.close()
                mended = time.monotonic()
            wait_until(
                lambda: is_finished(stage.evaluation),
                seconds=RECOVERY_SECONDS,
                why=f"{recorded(stage.evaluation)} of {GAMES} games were recorded",
            )
            trouble = self._difference(stage.evaluation)
        except AssertionError as error:
            trouble = str(error)
            for left in Evaluation.objects.filter(status__in=_UNDER_WAY):
                cancel(evaluation=left, by=self._people.ida)
        return Outcome(run, trouble, time.monotonic() - mended, alert)

    def _begin(self, run: Run, phase: ExitStack) -> Stage:
        """Request an evaluation and lead it into the phase; ``phase`` keeps it there."""
        workers = self._stage.workers
        if run.phase == "queued":
            phase.enter_context(stopped(workers.games.pids))
        team = world.team_of(self._people, self._people.ada)
        evaluation = grade_team(team=team, by=self._people.ida)
        stage = Stage(
            workers, self._stage.broker, self._stage.docker, self._stage.database,
            self._stage.clock, evaluation, self._stage.chance,
        )  # fmt: skip
        if run.phase == "queued":
            wait_until(lambda: stage.count(lambda c: c.llen("graded")) > 0, why="nothing was sent")
            return stage
        taken = lambda: stage.count(lambda c: c.zcard("graders.unacked_index")) > 0  # noqa: E731
        wait_until(lambda: taken() or recorded(evaluation) > 0, why="no grader took it")
        if run.phase == "playing":
            wait_until(lambda: recorded(evaluation) >= run.share * GAMES, why="nothing is played")
        if run.phase == "reporting":
            phase.enter_context(stopped(workers.results.pids))
            wait_until(lambda: stage.count(lambda c: c.llen("results")) > 1, why="no reports")
        if run.phase == "recording":
            phase.enter_context(stage.locked())
            wait_until(
                lambda: stage.count(lambda c: c.zcard("results.unacked_index")) > 0,
                why="no report is recorded",
            )
        return stage

    def _last(self, run: Run, before: dict[str, float]) -> str:
        """Have the fault last for its time, or until its alert; say which one was seen and when."""
        alert = ALERTS.get(run.fault, "")
        began = time.monotonic()
        if not alert or run.fault in self._alerted or run.phase == "recording":
            over = began + run.seconds
            wait_until(lambda: time.monotonic() > over, why="time stands still")
            return ""
        self._alerted.add(run.fault)
        labels = "games" if alert == "FireboxGraderSilent" else ""
        rule = self._rules[alert]
        later = _seconds(rule.get("for", "0s")) + 2 * self._look_seconds
        fires = lambda: is_firing(rule["expr"], before, figures(), labels)  # noqa: E731
        wait_until(fires, seconds=ALERT_SECONDS - later, why=f"{alert} is not seen")
        return f"{alert} after {time.monotonic() - began:.0f} + {later:.0f} s"

    def _difference(self, evaluation: Evaluation) -> str:
        """Name the difference from the undisturbed games; empty if there is none."""
        faults = evaluation.results.exclude(fault_kind="")
        if faults:
            told = faults.values_list("index", "fault_kind", "fault_detail")
            return f"{len(faults)} games with faults, such as {list(told[:3])}"
        games = games_of(evaluation)
        if games != self._expected:
            wrong = [index for index in self._expected if games.get(index) != self._expected[index]]
            return f"{len(games)} games, others than undisturbed: {wrong[:9]}"
        if (evaluation.mean, evaluation.verdict) != (self._mean, Verdict.ACCEPTED):
            return f"mean {evaluation.mean}, {evaluation.verdict}"
        return ""


def _seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def _slow_agent() -> bytes:
    """A house agent that pauses at each turn; its games are the same."""
    with zipfile.ZipFile(io.BytesIO(house.bundle("iggi"))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return zipped(*{**files, "agent.py": AGENT.encode()}.items())


def test_every_evaluation_ends_as_if_nothing_had_happened(
    workers: Deployment,
    redis_server: RedisServer,
    own_docker: DockerDaemon,
    clock: SteppedClock,
) -> None:
    people = world.make(games=GAMES, practice_games=4, audited_games=0)
    submission = world.upload(people, people.ada, filename="a.zip", data=_slow_agent())
    for evaluation in submission.evaluations.all():
        wait_until(lambda e=evaluation: is_finished(e), why="not finished")  # type: ignore[misc]
    wait_until(lambda: not submission.evaluations.open().exists(), why="practice goes on")
    undisturbed = grade_team(team=world.team_of(people, people.ada), by=people.ida)
    wait_until(lambda: is_finished(undisturbed), seconds=RECOVERY_SECONDS, why="not finished")
    database = Path(connection.settings_dict["NAME"])
    chance = random.Random(SEED)  # noqa: S311 - the same faults for the same seed
    stage = Stage(workers, redis_server, own_docker, database, clock, undisturbed, chance)
    chaos, outcomes = Chaos(people, stage), []
    for run in plan(RUNS, SEED):
        outcomes.append(chaos.outcome_of(run))
        last = outcomes[-1]
        print(f"{len(outcomes)}: {run} {last.recovery_seconds:.1f} s {last.alert} {last.trouble}")
    print(f"\nseed {SEED}\n{table(outcomes)}")
    assert not [outcome for outcome in outcomes if outcome.trouble]
