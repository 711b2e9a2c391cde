"""Plays many games on several cores: one process per slot, which is bound to its core.

This process hands out batches and collects results; the slots' processes play. They speak in the
same JSON as site and graders do. Who plays what is decided as the games go, by the time they take;
the outcome of an evaluation does not depend on it.

Slots' processes are forks of this one, which has loaded everything already: to load it again takes
each of them a third of a second. So they start before this process has threads.
"""

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Final, Protocol

from grader.core.errors import GraderError, SystemFault
from grader.core.games import game_from_options
from grader.core.records import (
    AgentRef,
    BatchPhase,
    BatchReport,
    BatchRequest,
    BuildReport,
    GameResult,
    from_json,
    to_json,
)
from grader.play.batch import open_batch
from grader.play.sandbox_cache import SandboxCache
from grader.play.slot import Slot
from grader.results.evaluation import (
    BATCH_SECONDS,
    SHORT_BATCH_SECONDS,
    EvaluationSpec,
    batch_request,
    deals_between,
    game_setup,
    plan_batches,
    stop_index,
)
from grader.results.figures import outcomes_of, precise_enough

_FAREWELL_SECONDS: Final = 10.0
"""Wall time for a slot to close its containers before it is ended."""

_GONE: Final = "a process that played games ended unexpectedly"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalEvaluation:
    """An evaluation to be played here and now."""

    spec: EvaluationSpec
    agents: tuple[AgentRef, ...]
    archives: tuple[bytes, ...]
    secret: bytes
    slot: Slot
    """The slots that play it, but for their cores."""
    own_opponents: frozenset[int] = frozenset()
    """Positions of opponents that are not house agents: their faults are not ours."""


class OpponentFaultError(GraderError):
    """A user's own opponent ended a game by a fault: the game does not count, nor its deal."""

    def __init__(self, result: GameResult, opponent: int) -> None:
        super().__init__(f"agent {opponent} failed in game {result.index}")
        self.result = result
        self.opponent = opponent
        """Its position."""


@dataclass(slots=True)
class LocalOutcome:
    """The results of a job so far."""

    builds: tuple[BuildReport, ...] = ()
    results: dict[int, GameResult] = field(default_factory=dict)

    @property
    def built(self) -> bool:
        """True if every agent could be built; nothing is played otherwise."""
        return all(build.ok for build in self.builds)


def usable_cores() -> list[int]:
    """The processors that this process may use."""
    return sorted(os.sched_getaffinity(0))


class BatchSource(Protocol):
    """Hands out the games to play, and takes the results."""

    def next_request(self) -> BatchRequest | None:
        """More for a slot that is idle; ``None``: nothing for now."""

    def note(self, report: BatchReport) -> Sequence[GameResult]:
        """Take a report; the new results in it. Raises SystemFault for one of a failure."""


def play_games(
    job: LocalEvaluation, slots: "Sequence[SlotProcess]", on_result: Callable[[GameResult], None]
) -> LocalOutcome:
    """Play all games of a job in the slots that are open for it, and report each as it comes.

    Stops early after consecutive faults, if an agent cannot be built, or when the mean is known as
    precisely as the spec asks. Raises SystemFault and OpponentFaultError.
    """
    schedule = _Schedule(job, len(slots))
    play_batches(schedule, slots, on_result)
    return schedule.counted


def play_batches(
    source: BatchSource, slots: "Sequence[SlotProcess]", on_result: Callable[[GameResult], None]
) -> None:
    """Play until a source has no more and every slot is idle. Raises SystemFault."""
    while True:
        for slot in slots:
            if slot.is_idle and (request := source.next_request()):
                slot.begin(request)
        busy = [slot for slot in slots if not slot.is_idle]
        if not busy:
            return
        ready = wait([slot.connection for slot in busy])
        for slot in busy:
            if slot.connection in ready:
                for result in source.note(slot.receive()):
                    on_result(result)


class _Schedule:
    """The games that are still to be handed out, and the results so far."""

    def __init__(self, job: LocalEvaluation, slots: int) -> None:
        self._job = job
        self._spec = job.spec
        self._slots = slots
        self._waiting: Sequence[int] = range(job.spec.n_games)
        self._batch_seconds = BATCH_SECONDS if job.spec.half_width is None else SHORT_BATCH_SECONDS
        self._game = game_from_options(job.spec.game, job.spec.options)
        self.outcome = LocalOutcome()
        self._next_look = 0

    def next_request(self) -> BatchRequest | None:
        """For a share of what is left, smaller towards the end."""
        indices = self._next_batch()
        if not indices:
            return None
        request = batch_request(
            self._spec,
            evaluation="local",
            batch=str(indices[0]),
            agents=self._job.agents,
            secret=self._job.secret,
            indices=indices,
            check_first=True,
        )
        ours = (number for number in request.ours if number not in self._job.own_opponents)
        return replace(request, ours=tuple(ours))

    def _next_batch(self) -> Sequence[int]:
        results = self.outcome.results.values()
        spent_ms = sum(result.wall_ms for result in results)
        per_game = spent_ms / len(results) if results else None
        batches = plan_batches(
            self._waiting,
            ms_per_game=per_game,
            slots=self._slots,
            target_seconds=self._batch_seconds,
            deals_between=deals_between(self._spec),
        )
        batch = batches[0] if batches else ()
        self._waiting = self._waiting[len(batch) :]
        return batch

    def note(self, report: BatchReport) -> Sequence[GameResult]:
        """Take a report; the new results in it."""
        if report.phase is BatchPhase.FAILED:
            raise SystemFault(report.system_fault)
        if report.phase is BatchPhase.BUILT:
            self.outcome.builds = report.builds
            if not self.outcome.built:
                self._waiting = ()
        self._refuse_faults_of_opponents(report.results)
        self.outcome.results.update((result.index, result) for result in report.results)
        if any(result.record.fault for result in report.results):
            self._drop_what_cannot_count()
        if self._is_time_to_look() and self._precise_after() is not None:
            self._waiting = ()
        return report.results

    def _refuse_faults_of_opponents(self, results: Sequence[GameResult]) -> None:
        for result in results if self._spec.opponents else ():
            setup, fault = game_setup(self._spec, result.index), result.record.fault
            if fault is not None and fault.seat != setup.seat:
                raise OpponentFaultError(result, setup.opponent)

    def _is_time_to_look(self) -> bool:
        played = len(self.outcome.results)
        if played < self._next_look:
            return False
        self._next_look = played + max(1, played // 50)
        return True

    def _precise_after(self) -> int | None:
        if self._spec.half_width is None:
            return None
        outcomes = outcomes_of(self._spec, self._game, list(self.outcome.results.values()))
        summary = precise_enough(self._spec, self._game, outcomes)
        return None if summary is None else summary.n

    @property
    def counted(self) -> LocalOutcome:
        """The results, without games that happened to be played beyond the job's end."""
        end = self._precise_after() or self._spec.n_games
        kept = {index: result for index, result in self.outcome.results.items() if index < end}
        return LocalOutcome(self.outcome.builds, kept)

    def _drop_what_cannot_count(self) -> None:
        results = self.outcome.results
        stop = stop_index(
            {index for index, result in results.items() if result.record.fault},
            n=self._spec.n_games,
            max_consecutive_faults=self._spec.max_consecutive_faults,
        )
        if stop is not None:
            self._waiting = [index for index in self._waiting if index < stop]


class SlotProcess:
    """One process that plays batches, seen from here."""

    def __init__(self, connection: "Connection[str, str]") -> None:
        self.connection = connection
        self.is_idle = True

    def begin(self, request: BatchRequest) -> None:
        """Send the process a batch. Raises SystemFault if it has ended."""
        try:
            self.connection.send(to_json(request))
        except ConnectionError as error:  # not to be taken for a reader of our output that left
            raise SystemFault(_GONE) from error
        self.is_idle = False

    def receive(self) -> BatchReport:
        """Return the next report. Raises SystemFault if the process has ended."""
        try:
            report = from_json(self.connection.recv(), BatchReport)
        except (EOFError, ConnectionError) as error:
            raise SystemFault(_GONE) from error
        self.is_idle = report.phase in {BatchPhase.DONE, BatchPhase.FAILED}
        return report


def slots_for(
    job: LocalEvaluation, cores: Sequence[int | None]
) -> AbstractContextManager[list[SlotProcess]]:
    """Open a slot on each of these cores for the agents of a job."""
    agents = [agent.sha256 for agent in job.agents]
    return open_slots(dict(zip(agents, job.archives, strict=True)), job.slot, cores)


@contextmanager
def open_slots(
    archives: Mapping[str, bytes], like: Slot, cores: Sequence[int | None]
) -> Iterator[list[SlotProcess]]:
    """Start and end a process on each core. This process must have no threads.

    ``archives`` are the sources of all agents that may play, by hash.
    """
    context = multiprocessing.get_context("fork")
    with ExitStack() as processes, ExitStack() as connections:
        opened: list[SlotProcess] = []
        for core in cores:
            slot = replace(like, core=core)
            ours, theirs = context.Pipe()
            connections.callback(ours.close)
            inherited = [*(before.connection for before in opened), ours]
            process = context.Process(
                target=_serve, args=(theirs, archives, slot, inherited), daemon=True
            )
            process.start()
            processes.callback(_end, process)
            theirs.close()
            opened.append(SlotProcess(ours))
        yield opened


def _end(process: "multiprocessing.process.BaseProcess") -> None:
    process.join(_FAREWELL_SECONDS)
    if process.is_alive():
        process.terminate()
        process.join()
    process.close()


def _serve(
    connection: "Connection[str, str]",
    archives: Mapping[str, bytes],
    slot: Slot,
    inherited: "Sequence[Connection[str, str]]",
) -> None:
    """In a slot's process: play batches until the other side closes the pipe.

    ``inherited`` are the other side's ends: a copy left open here would hide that it closes them.
    """
    for other in inherited:
        other.close()
    gc.freeze()
    if slot.core is not None:
        os.sched_setaffinity(0, {slot.core})
    sandboxes = SandboxCache()
    try:
        while True:
            request = from_json(connection.recv(), BatchRequest)
            sources = [archives[agent.sha256] for agent in request.agents]
            for report in _reports(request, sources, replace(slot, sandboxes=sandboxes)):
                connection.send(to_json(report))
    except (EOFError, ConnectionError, KeyboardInterrupt):
        connection.close()
    finally:
        sandboxes.close()


def _reports(request: BatchRequest, archives: Sequence[bytes], slot: Slot) -> Iterator[BatchReport]:
    report = partial(BatchReport, evaluation=request.evaluation, batch=request.batch)
    try:
        with open_batch(request, archives, slot) as batch:
            yield report(phase=BatchPhase.BUILT, builds=batch.builds)
            for result in batch.games():
                yield report(phase=BatchPhase.PLAYING, results=(result,))
    except SystemFault as fault:
        yield report(phase=BatchPhase.FAILED, system_fault=str(fault))
    else:
        yield report(phase=BatchPhase.DONE)
