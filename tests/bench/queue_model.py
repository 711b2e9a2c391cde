"""A discrete-event simulation: work is asked for, waits at the site and the broker, and is played.

What a batch takes is measured (``tests/bench/RESULTS.md``): opening its sandboxes, then its games
one after another. What the site hears of it comes a second later, as reports do, and waits for a
results worker there.
"""

import heapq
import math
from bisect import insort
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from grader.results.evaluation import plan_batches
from webapp.grading.jobs import policy
from webapp.grading.jobs.policy import CourseBacklog, Key
from webapp.grading.jobs.queues import BROKER_QUEUES, Queue, broker_queue

OPENING_SECONDS: Final = 0.7
"""Opening the sandboxes of a batch whose agent the grader knows: 0.4 to 0.7 s, of five seats."""
REPORT_SECONDS: Final = 1.0
"""From the start of a batch to its first report."""
RECORDING_SECONDS: Final = 0.3
"""From a report to its record, beside the wait for a results worker."""
TICK_SECONDS: Final = 2.0
"""The site checks at least this often for jobs to release."""
SECONDS_A_REPORT: Final = 0.003
"""Processor time of a report, and"""
SECONDS_A_GAME: Final = 0.0009
"""of each game in it: ``make bench NAME=recording`` on a slow core."""
SECONDS_A_RELEASE: Final = 0.015
"""Processor time of a release of one queue, however much waits, and"""
SECONDS_A_JOB: Final = 0.002
"""of each job that it sends."""
PAUSE_SECONDS: Final = 0.3
"""Between two releases: what is wanted meanwhile is released together."""


@dataclass(slots=True, eq=False)
class Site:
    """Processes that take tasks in the order in which they come, the urgent ones first."""

    processes: int
    at: Callable[[float, Callable[[], None]], None]
    """Has something happen after some seconds."""
    busy_seconds: float = 0.0
    longest_wait: float = 0.0
    """The most seconds that a report has waited for a process."""
    releases: int = 0
    _urgent: deque[tuple[float, float, Callable[[], None]]] = field(default_factory=deque)
    _others: deque[tuple[float, float, Callable[[], None]]] = field(default_factory=deque)
    _idle: int = 0

    def __post_init__(self) -> None:
        self._idle = self.processes

    def do(
        self, act: Callable[[], None], *, seconds: float, now: float, urgent: bool = False
    ) -> None:
        """Have a process spend so many seconds, and then act."""
        (self._urgent if urgent else self._others).append((now, seconds, act))
        self._serve(now)

    def _serve(self, now: float) -> None:
        while self._idle and (tasks := self._urgent or self._others):
            came, seconds, act = tasks.popleft()
            self._idle -= 1
            self.busy_seconds += seconds
            self.longest_wait = max(self.longest_wait, now - came)
            self.at(seconds, partial(self._end, act, now + seconds))

    def _end(self, act: Callable[[], None], now: float) -> None:
        self._idle += 1
        act()
        self._serve(now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A request for an evaluation."""

    queue: Queue
    course: int
    team: int
    asked_at: float
    n_games: int
    ms_per_game: float
    due_at: float = float("inf")
    compile_seconds: float = 0.0
    """Paid once, by its first batch."""
    known_ms: float | None = None
    """The site's guess of ``ms_per_game``."""
    then: "Work | None" = None
    """The next one, asked for when it has finished."""


@dataclass(slots=True, kw_only=True, eq=False)
class Run:
    """An evaluation as it was played."""

    work: Work
    asked_at: float
    batches: int = 0
    left: int = 0
    first_at: float | None = None
    """The time at which its first game was recorded."""
    finished_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """Some games of an evaluation."""

    run: Run
    turn: float
    games: int
    estimate: float
    """Seconds, as the site expects."""
    seconds: float
    """Seconds, in truth."""

    @property
    def reports(self) -> int:
        return max(1, math.ceil(self.seconds / REPORT_SECONDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """The graders' processes, by the queues that each serves in this order."""

    games: int
    smoke: int

    @classmethod
    def of(cls, cores: int, *, host_cores: int = 20) -> "Fleet":
        """Machines of up to 20 cores, of which each keeps one for smoke tests alone."""
        hosts = -(-cores // host_cores)
        return cls(games=cores - hosts, smoke=hosts)

    @property
    def cores(self) -> int:
        return self.games + self.smoke


@dataclass(slots=True)
class Simulation:
    """One night. ``fair=False``: everything is sent at once, and cut for all slots, as it was."""

    fleet: Fleet
    fair: bool = True
    processes: int = 2
    """The processes of results workers."""
    now: float = 0.0
    runs: list[Run] = field(default_factory=list)
    busy_seconds: float = 0.0
    _events: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _count: int = 0
    _lines: dict[Key, list[tuple[float, int, Batch]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _broker: dict[Queue, deque[Batch]] = field(default_factory=lambda: defaultdict(deque))
    _in_flight: Counter[Key] = field(default_factory=Counter)
    _served_at: dict[Key, float] = field(default_factory=dict)
    _clocks: dict[tuple[int, Queue], float] = field(default_factory=dict)
    _idle: Counter[str] = field(default_factory=Counter)
    _open: int = 0
    """Batches of games that wait or are played."""
    _ticks: bool = False
    _wanted: set[Queue] = field(default_factory=set)
    _released_at: float = -math.inf
    site: Site = field(init=False)

    def __post_init__(self) -> None:
        self.site = Site(self.processes, lambda seconds, act: self._at(self.now + seconds, act))

    def play(self, works: Iterable[Work], *, until: float = float("inf")) -> "Simulation":
        """Play the night to its end, or ``until`` then."""
        self._idle.update(games=self.fleet.games, smoke=self.fleet.smoke)
        for work in works:
            self._at(work.asked_at, partial(self._ask, work))
        while self._events and self._events[0][0] <= until:
            self.now, _, act = heapq.heappop(self._events)
            act()
        return self

    @property
    def lost_to_splitting(self) -> float:
        """The share of the busy time that batches beyond an evaluation's first took to open."""
        extra = sum(run.batches - 1 for run in self.runs if run.finished_at is not None)
        return extra * OPENING_SECONDS / self.busy_seconds

    def _at(self, moment: float, act: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (moment, self._count, act))

    # --- The site ---------------------------------------------------------------------------

    def _ask(self, work: Work) -> None:
        run = Run(work=work, asked_at=self.now)
        self.runs.append(run)
        sizes = self._cut(work)
        run.batches = run.left = len(sizes)
        expected = (work.known_ms or 250.0) / 1000
        estimates = [size * expected for size in sizes]
        clock = (work.team, work.queue)
        turns = policy.turns(
            estimates,
            asked_at=self.now,
            due_at=work.due_at,
            after=self._clocks.get(clock, float("-inf")),
        )
        self._clocks[clock] = turns[-1] + estimates[-1]
        for position, (size, estimate, turn) in enumerate(
            zip(sizes, estimates, turns, strict=True)
        ):
            extra = work.compile_seconds if position == 0 else 0.0
            seconds = OPENING_SECONDS + extra + size * work.ms_per_game / 1000
            self._add(Batch(run=run, turn=turn, games=size, estimate=estimate, seconds=seconds))
        self._want(broker_queue(work.queue))
        if self.fair and not self._ticks:
            self._ticks = True
            self._at(self.now + TICK_SECONDS, self._tick)

    def _cut(self, work: Work) -> list[int]:
        if work.queue == Queue.SMOKE:
            return [work.n_games]
        slots = self.fleet.games
        if self.fair:
            slots = policy.idle_slots(slots=slots, busy=self._open)
        plan = plan_batches(range(work.n_games), ms_per_game=work.known_ms, slots=slots)
        self._open += len(plan)
        return [len(games) for games in plan]

    def _add(self, batch: Batch) -> None:
        work = batch.run.work
        if self.fair:
            self._count += 1
            line = self._lines[work.queue, work.course]
            insort(line, (-batch.turn, -self._count, batch))  # the next is at the end
        else:
            self._send(work.queue, batch)

    def _want(self, *queues: Queue) -> None:
        """Have these queues released, with all that are named until then."""
        if self.fair and not self._wanted:
            moment = max(self.now, self._released_at + PAUSE_SECONDS)
            self._at(moment, self._ask_for_release)
        self._wanted.update(queues)

    def _ask_for_release(self) -> None:
        self._released_at = self.now
        self.site.releases += 1
        seconds = SECONDS_A_RELEASE * len(self._wanted)
        self.site.do(self._release_wanted, seconds=seconds, now=self.now, urgent=True)

    def _release_wanted(self) -> None:
        wanted = [queue for queue in BROKER_QUEUES if queue in self._wanted]
        self._wanted.clear()
        sent = sum(self._release(queue) for queue in wanted)
        self.site.do(lambda: None, seconds=SECONDS_A_JOB * sent, now=self.now, urgent=True)

    def _release(self, queue: Queue) -> int:
        lines = [self._line(key) for key in self._lines if key[0] in BROKER_QUEUES[queue]]
        slots = self.fleet.cores if queue == Queue.SMOKE else self.fleet.games
        count = policy.room(lines, slots=slots, held=len(self._broker[queue]))
        chosen = policy.choose(lines, count) if count else []
        for key in chosen:
            _, _, batch = self._lines[key].pop()
            self._served_at[key] = self.now
            self._in_flight[key] += 1
            self._send(queue, batch)
        return len(chosen)

    def _line(self, key: Key) -> CourseBacklog:
        line = self._lines[key]
        return CourseBacklog(
            queue=key[0],
            course=key[1],
            waiting=len(line),
            in_flight=self._in_flight[key],
            turn=-line[-1][0] if line else 0.0,
            served_at=self._served_at.get(key, float("-inf")),
            seconds=line[-1][2].estimate if line else 15.0,
        )

    def _tick(self) -> None:
        self._want(*BROKER_QUEUES)
        self._ticks = any(self._lines.values())
        if self._ticks:
            self._at(self.now + TICK_SECONDS, self._tick)

    # --- Broker and graders -----------------------------------------------------------------

    def _send(self, queue: Queue, batch: Batch) -> None:
        self._broker[queue].append(batch)
        serving = ("smoke", "games") if self.fair else ("smoke",)
        for kind in serving if queue == Queue.SMOKE else ("games",):
            if self._idle[kind]:
                self._idle[kind] -= 1
                self._take(kind)
                return

    def _take(self, kind: str) -> None:
        """Have a process begin the next batch of its queues, or wait."""
        for queue in self._served(kind):
            if self._broker[queue]:
                self._begin(kind, self._broker[queue].popleft())
                return
        self._idle[kind] += 1

    def _served(self, kind: str) -> Sequence[Queue]:
        if kind == "smoke":
            return (Queue.SMOKE,)
        games = (Queue.GRADED, Queue.PRACTICE)
        return (Queue.SMOKE, Queue.GRADED) if self.fair else games

    def _begin(self, kind: str, batch: Batch) -> None:
        run = batch.run
        self.busy_seconds += batch.seconds
        first_game = OPENING_SECONDS + run.work.ms_per_game / 1000
        first = min(max(REPORT_SECONDS, first_game), batch.seconds)
        self._at(self.now + first + RECORDING_SECONDS, partial(self._report, batch, 1))
        self._at(self.now + batch.seconds, partial(self._take, kind))
        end = self.now + batch.seconds + RECORDING_SECONDS
        self._at(end, partial(self._record, batch, partial(self._close, batch)))

    def _report(self, batch: Batch, number: int) -> None:
        """Send a report that is not the last one; another follows."""
        self._record(batch, partial(self._hear, batch) if number == 1 else lambda: None)
        if number + 1 < batch.reports:
            self._at(self.now + REPORT_SECONDS, partial(self._report, batch, number + 1))

    def _record(self, batch: Batch, then: Callable[[], None]) -> None:
        seconds = SECONDS_A_REPORT + SECONDS_A_GAME * batch.games / batch.reports
        urgent = batch.run.work.queue == Queue.SMOKE
        self.site.do(then, seconds=seconds, now=self.now, urgent=urgent)

    def _hear(self, batch: Batch) -> None:
        """Record a first report: the broker holds one less."""
        if batch.run.first_at is None:
            batch.run.first_at = self.now
        self._want(broker_queue(batch.run.work.queue))

    def _close(self, batch: Batch) -> None:
        run = batch.run
        run.left -= 1
        if self.fair:
            self._in_flight[run.work.queue, run.work.course] -= 1
        if run.work.queue != Queue.SMOKE:
            self._open -= 1
        if not run.left:
            run.finished_at = self.now
            if run.work.then is not None:
                self._ask(run.work.then)
