"""Evaluations and people's games while something breaks: they end soon, as if undisturbed.

``make chaos RUNS=200 SEED=1`` prints the outcomes. The first run with each fault that has an
alert lasts until the rule of that alert holds.
"""

import io
import os
import random
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import pytest
import yaml
from django.db import connection

from grader import house
from tests.chaos.faults import FAULTS, SystemUnderTest, stopped
from tests.chaos.planning import ALERTS, PHASES, Outcome, Run, is_firing, plan, table
from tests.chaos.subjects import Graded, SmokeTest, Subject, Turn, cancel_all
from tests.support import world
from tests.support.deployment import SeparateDeployment
from tests.support.docker_daemon import DockerDaemon
from tests.support.processes import wait_until
from tests.support.redis_server import RedisServer
from tests.support.stepped_clock import SteppedClock
from tests.support.zips import zipped
from tests.webapp.test_metrics import figures
from webapp.grading.evaluations.models import Kind
from webapp.grading.evaluations.services import grade_team

pytestmark = [pytest.mark.docker, pytest.mark.redis, pytest.mark.slow, pytest.mark.deep]

RUNS: Final = int(os.environ.get("CHAOS_RUNS", str(len(PHASES))))
ONLY: Final = os.environ.get("CHAOS_ONLY", "")
"""A regular expression: all runs have a "fault, phase" that matches."""
SEED: Final = int(os.environ.get("CHAOS_SEED", "1"))
GAMES: Final = 150
SMOKE_GAMES: Final = 30
RECOVERY_SECONDS: Final = 120.0
"""The longest time from the end of a fault to the end of its subject, on a busy machine."""
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


@pytest.fixture
def clock(tmp_path: Path) -> SteppedClock:
    return SteppedClock(tmp_path)


@pytest.fixture
def workers(
    own_docker: DockerDaemon, environment: dict[str, str], tmp_path: Path, clock: SteppedClock
) -> Iterator[SeparateDeployment]:
    """A deployment on an engine of its own, which keeps no sandbox from one run to the next."""
    extra = {"FIREBOX_LEASE_SECONDS": "3", "FIREBOX_OPEN_SANDBOXES": "0"}
    settings = environment | own_docker.settings | extra
    deployment = SeparateDeployment(tmp_path, settings, of_results=clock.settings)
    try:
        deployment.start()
        yield deployment
    finally:
        deployment.stop()


S = TypeVar("S", SmokeTest, Graded, Turn)


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """The subjects that were played before all faults."""

    smoke: SmokeTest
    graded: Graded
    turn: Turn

    @classmethod
    def play(cls, people: world.World) -> "Undisturbed":
        submission = world.upload(people, people.ada, filename="a.zip", data=_slow_agent())
        evaluation = submission.evaluations.get(kind=Kind.SMOKE)
        smoke = _finished(SmokeTest(evaluation, evaluation))
        evaluation = grade_team(team=world.team_of(people, people.ada), by=people.ida)
        graded = _finished(Graded(evaluation, evaluation))
        return cls(smoke, graded, _finished(Turn.first(people, submission.pk)))


def _finished(subject: S) -> S:
    wait_until(subject.is_finished, seconds=RECOVERY_SECONDS, why="not finished")
    return subject


OF_RESULTS_AT_WORK = {"fill the database", "lie", "lock the database", "step the clock"}
"""Faults that a stopped results worker would not meet."""
OF_REPORTS = {"FireboxGraderUnfit"}
"""Alerts on what graders report: nobody records it while the results worker is stopped."""


class Chaos:
    """Runs one subject after another, and compares each with an undisturbed one."""

    def __init__(
        self, people: world.World, system: SystemUnderTest, undisturbed: Undisturbed
    ) -> None:
        self._people, self._system, self._undisturbed = people, system, undisturbed
        (group,) = yaml.safe_load(RULES.read_text())["groups"]
        self._rules = {rule["alert"]: rule for rule in group["rules"]}
        self._look_seconds = _seconds(group["interval"])
        self._alerted: set[str] = set()

    def outcome_of(self, run: Run) -> Outcome:
        system, alert, mended = self._system, "", time.monotonic()
        try:
            system.workers.start()
            with ExitStack() as phase:
                system = self._begin(run, phase)
                before = self._figures()
                with FAULTS[run.fault](system):
                    if run.fault in OF_RESULTS_AT_WORK:
                        phase.close()
                    alert = self._last(run, before)
                    phase.close()
                mended = time.monotonic()
            wait_until(
                system.subject.is_finished,
                seconds=RECOVERY_SECONDS,
                why=f"{system.subject.recorded()} of {system.subject.total} were recorded",
            )
            wait_until(system.workers.web_answers, why="the web server does not answer")
            problem = system.subject.difference()
        except AssertionError as error:
            problem = str(error)
            cancel_all(self._people)
        return Outcome(run, problem, time.monotonic() - mended, alert)

    def _begin(self, run: Run, phase: ExitStack) -> SystemUnderTest:
        """Request the subject and lead it into the phase; ``phase`` keeps it there."""
        workers, lane = self._system.workers, run.fault.removeprefix("kill ").removeprefix("stop ")
        player = {"smoke": workers.smoke, "live": workers.live}.get(lane, workers.games)
        if lane == "smoke":
            phase.enter_context(stopped(workers.games.pids))  # which would take smoke tests first
        if run.phase == "queued":
            phase.enter_context(stopped(player.pids))
        subject = self._subject(lane)
        system = replace(self._system, subject=subject)
        if run.phase == "queued":
            sent = subject.jobs().filter(sent_at__isnull=False)
            wait_until(sent.exists, why="nothing was sent")
            if run.fault == "double requests":
                waiting = lambda: system.count(lambda c: c.llen("graded")) > 0  # noqa: E731
                wait_until(waiting, why="nothing waits")
            return system
        if run.phase == "reporting":
            self._await_start(system)
            phase.enter_context(stopped(workers.results.pids))
            # The only report may have been recorded before, or Redis may have handed it to the
            # worker that is stopped.
            over = lambda: system.requests() == 0  # noqa: E731
            wait_until(
                lambda: system.reports() >= subject.first_reports or over(), why="no reports"
            )
            return system
        if run.phase == "recording":
            self._await_start(system)
            phase.enter_context(system.locked())
            wait_until(lambda: system.taken() > 0, why="no report is recorded")
            return system
        self._await_start(system)
        if run.phase == "playing":
            enough = run.share * subject.total
            wait_until(lambda: subject.recorded() >= enough, why="nothing is played")
        return system

    def _await_start(self, system: SystemUnderTest) -> None:
        sent = system.subject.jobs().filter(sent_at__isnull=False)
        wait_until(
            lambda: (sent.exists() and system.graders_tasks()) or system.subject.recorded() > 0,
            why="no grader took it",
        )

    def _subject(self, lane: str) -> Subject:
        undisturbed = self._undisturbed
        if lane == "smoke":
            return SmokeTest.begin(self._people, undisturbed.smoke.evaluation, _slow_agent())
        if lane == "live":
            return undisturbed.turn.again()
        return Graded.begin(self._people, undisturbed.graded.evaluation)

    def _figures(self) -> dict[str, float]:
        """Return the site's figures, and whether Prometheus would reach it."""
        return figures() | {"up firebox": float(self._system.workers.web_answers())}

    def _last(self, run: Run, before: dict[str, float]) -> str:
        """Have the fault last for its time, or until its alert; say which one was seen and when."""
        alert = ALERTS.get(run.fault, "")
        began = time.monotonic()
        unseen = run.phase == "recording" or (run.phase == "reporting" and alert in OF_REPORTS)
        if not alert or run.fault in self._alerted or unseen:
            over = began + run.seconds
            wait_until(lambda: time.monotonic() > over, why="time stands still")
            return ""
        self._alerted.add(run.fault)
        labels = f"{run.fault.split()[-1]}@" if alert == "FireboxGraderSilent" else ""
        rule = self._rules[alert]
        later = _seconds(rule.get("for", "0s")) + 2 * self._look_seconds
        fires = lambda: is_firing(rule["expr"], before, self._figures(), labels)  # noqa: E731
        wait_until(fires, seconds=ALERT_SECONDS - later, why=f"{alert} is not seen")
        return f"{alert} after {time.monotonic() - began:.0f} + {later:.0f} s"


def _seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def _slow_agent() -> bytes:
    """A house agent that pauses at each turn; its games are the same."""
    with zipfile.ZipFile(io.BytesIO(house.bundle("iggi"))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return zipped(*{**files, "agent.py": AGENT.encode()}.items())


def test_everything_ends_as_if_nothing_had_happened(
    workers: SeparateDeployment,
    redis_server: RedisServer,
    own_docker: DockerDaemon,
    clock: SteppedClock,
) -> None:
    people = world.make(games=GAMES, smoke_games=SMOKE_GAMES, practice_games=4, audited_games=0)
    undisturbed = Undisturbed.play(people)
    database = Path(connection.settings_dict["NAME"])
    rng = random.Random(SEED)  # noqa: S311 - the same faults for the same seed
    system = SystemUnderTest(
        workers, redis_server, own_docker, database, clock, undisturbed.graded, rng
    )
    chaos, outcomes = Chaos(people, system, undisturbed), []
    for run in plan(RUNS, SEED, ONLY):
        outcomes.append(chaos.outcome_of(run))
        last = outcomes[-1]
        print(f"{len(outcomes)}: {run} {last.recovery_seconds:.1f} s {last.alert} {last.problem}")
    print(f"\nseed {SEED}\n{table(outcomes)}")
    assert not [outcome for outcome in outcomes if outcome.problem]
