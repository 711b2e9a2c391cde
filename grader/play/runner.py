"""Plays games in one slot: one core, one container per seat, one game after another.

In mode ``team`` the seats of an agent are a group with one container and one process.

Synchronous on purpose: measured, nothing concurrent is faster on one core, and no two agents ever
compete for it. The caller must have bound the process to the same core.

One class holds the pool and the agents it is open for: this state decides when a sandbox is lost,
reopened or played in again, and whether a fault is the agent's or ours.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from grader.core.errors import SystemFault
from grader.core.games import Game
from grader.core.prints import with_prints
from grader.core.records import (
    BatchRequest,
    BuildReport,
    Evidence,
    Fault,
    GameRequest,
    GameResult,
    Record,
)
from grader.interfaces import BUILD_OUTPUT_BYTES, BUILDER_MIB, Interface, interface_named, mode_of
from grader.play.builds import Built
from grader.play.debug import debug_limits, story
from grader.play.players import ProcessPlayer, TeamSeat, play_game
from grader.play.prints import printed_by
from grader.play.sandbox_cache import SandboxKey, close_sandboxes, sandbox_key
from grader.play.seating import SeatGroup, grouped_agents, process_of, seat_groups, seat_players
from grader.play.slot import Slot
from grader.uploads.archive import unpack
from grader.uploads.build_output import read_build
from sandbox.container import await_engine
from sandbox.control import Build
from sandbox.errors import HostError, SandboxError
from sandbox.exits import STATUS_OURS
from sandbox.limits import Limits
from sandbox.open_sandbox import OpenSandbox
from sandbox.program import Adapter, Program, Purpose
from sandbox.scratch import make_scratch, remove_scratch

_TRIES: Final = 3
"""The number of times that a game is tried before a failure of ours is reported."""
_MAX_LOSSES: Final = 5
"""The number of failures of ours that a batch survives. Each restarts a game, and an agent that
could cause such failures would restart games until they go well."""
_RECOVERY_SECONDS: Final = 60.0
"""Wall time that Docker gets to come back after a failure."""

T = TypeVar("T")


def unpacked(stack: ExitStack, archives: Sequence[bytes]) -> list[Path]:
    """Directories with the archives' files, which are gone when the stack is closed.

    Raises SystemFault if one cannot be unpacked.
    """
    directories = []
    for archive in archives:
        directory = make_scratch("sources")
        stack.callback(remove_scratch, directory)
        unpack(archive, directory)
        directories.append(directory)
    return directories


class SandboxPool:
    """The sandboxes of a batch, kept open from game to game and reopened when one is lost."""

    def __init__(
        self,
        game: Game,
        request: BatchRequest,
        slot: Slot,
        sources: Sequence[Path],
        archives: Sequence[bytes],
    ) -> None:
        """``sources`` are the agents' archives, unpacked."""
        self._game = game
        self._request = request
        self._slot = slot
        self._sources = sources
        self._archives = archives
        self._digests = [hashlib.sha256(archive).digest() for archive in archives]
        self._artefacts = [b""] * len(sources)
        self._interfaces = [
            interface_named(agent.interface).fitted(agent.options, folder, sandboxed=slot.sandboxed)
            for agent, folder in zip(request.agents, sources, strict=True)
        ]
        interfaces = [agent.interface for agent in request.agents]
        self._mode = mode_of(interfaces, request.seating, request.mode)
        seatings = [order.seating for order in request.games if order.seating]
        self._open_for = grouped_agents((seatings or [request.seating])[0], self._mode)
        deals = [order.deal_seed for order in request.games]
        self._deals_differ = len(set(deals)) == len(deals)
        self._losses = 0
        self.sandboxes: list[OpenSandbox] = []
        """While the pool is open, one for each agent of ``_open_for``."""

    def open(self) -> tuple[BuildReport, ...]:
        """Open all sandboxes and build each agent once. Raises SystemFault.

        Those that a builder compiles come first: machine code must be there when sandboxes open.
        """
        agents = range(len(self._sources))
        first = sorted(agents, key=lambda agent: not self._interfaces[agent].runtime.builder)
        reports = {agent: self._build(agent) for agent in first}
        if all(report.ok for report in reports.values()):
            self._with_retries(lambda: None)  # an agent compiled earlier has no open sandbox yet
        return tuple(reports[agent] for agent in agents)

    def play(self, order: GameRequest) -> tuple[GameResult, bool]:
        """Play one game; return its result, and whether it ended in a doubtful timeout.

        Raises SystemFault. Reopens the pool if the game before was played by other agents.
        """
        self._reopen_for(order.seating or self._request.seating)
        return self._with_retries(lambda: self._play_once(order))

    def play_again(self, order: GameRequest) -> GameResult:
        """Play a game that was played before, in processes that play nothing else."""
        self._reopen_for(order.seating or self._request.seating)

        def once() -> GameResult:
            for opened in self.sandboxes:
                opened.sandbox.end_kept()
            return self._play_once(order)[0]

        return self._with_retries(once)

    def run_alone(self, act: Callable[[ProcessPlayer], T]) -> T:
        """Run ``act`` with a fresh process in the first sandbox. Raises SystemFault."""

        def once() -> T:
            with closing(self._player(self.sandboxes[0], self._open_for[0])) as player:
                outcome = act(player)
            self.require_whole()
            return outcome

        return self._with_retries(once)

    def start(self) -> ProcessPlayer:
        """Start a process in the first sandbox, for its owner to close. Raises SystemFault."""
        return self._with_retries(lambda: self._player(self.sandboxes[0], self._open_for[0]))

    def require_whole(self) -> None:
        """Raise HostError if files of an open sandbox were removed."""
        for opened in self.sandboxes:
            opened.directory.require_whole()

    def close(self) -> None:
        """Close every sandbox, even if closing one fails; the next game reopens them."""
        opened, self.sandboxes = self.sandboxes, []
        close_sandboxes(opened)

    def give_back(self) -> None:
        """Leave the sandboxes to later batches, if the slot keeps any; nothing may run in them."""
        if self._slot.sandboxes is None or not self.sandboxes:  # none: a builder refused an agent
            self.close()
            return
        opened, self.sandboxes = self.sandboxes, []
        for sandbox, agent in zip(opened, self._open_for, strict=True):
            self._slot.sandboxes.give_back(self._key(agent), sandbox)

    def _with_retries(self, act: Callable[[], T], *, opens: bool = True) -> T:
        """Run ``act``, retrying after our failures. ``opens``: open the sandboxes first."""
        failures: list[Exception] = []
        while len(failures) < _TRIES and self._losses <= _MAX_LOSSES:
            try:
                if failures:
                    self._slot.require_confinement()
                if opens and not self.sandboxes:
                    self._open_sandboxes()
                return act()
            except (SandboxError, OSError) as error:
                failures.append(error)
                self._losses += 1
                self._recover(failures)
        raise self._gave_up(failures) from (failures[-1] if failures else None)

    def _gave_up(self, failures: list[Exception]) -> SystemFault:
        reasons = "; ".join(f"{type(error).__name__}: {error}" for error in failures)
        if self._losses > _MAX_LOSSES:
            reasons = f"failure {self._losses} in this batch: {reasons}"
        return SystemFault(reasons)

    def _recover(self, failures: list[Exception]) -> None:
        """Close the sandboxes, wait until new ones can be opened, and note the errors.

        Those that wait for other batches are closed after a second failure in a row.
        """
        try:
            self.close()
            if self._slot.sandboxes is not None and len(failures) > 1:
                self._slot.sandboxes.close_waiting()
            if self._slot.sandboxed:
                await_engine(_RECOVERY_SECONDS)
        except SandboxError as error:
            failures.append(error)

    def _reopen_for(self, seating: Sequence[int]) -> None:
        """Reopen the pool for these agents, if they differ. Their order is irrelevant."""
        agents = grouped_agents(seating, self._mode)
        if agents != self._open_for:
            self.give_back()
            self._open_for = agents

    def _open_sandboxes(self) -> None:
        with ThreadPoolExecutor(max_workers=len(self._open_for)) as executor:
            opening = [executor.submit(self._take_sandbox, agent) for agent in self._open_for]
        failures = [future.exception() for future in opening]
        self.sandboxes = [future.result() for future in opening if future.exception() is None]
        for failure in failures:
            if failure is not None:
                raise failure

    def _limits(self, agent: int) -> Limits:
        """The request's limits, plus what the runtime of the agent's language takes."""
        limits, interface = self._request.limits, self._interfaces[agent]
        limits = replace(
            limits,
            memory_mib=limits.memory_mib + interface.allowance.memory_mib,
            start_seconds=limits.start_seconds + interface.allowance.start_seconds,
        )
        return Limits(**asdict(debug_limits(limits) if self._slot.debug else limits))

    def _player(self, opened: OpenSandbox, agent: int) -> ProcessPlayer:
        """Return a fresh process, or a kept one that may be used again."""
        sandbox, ref = opened.sandbox, self._request.agents[agent]
        return ProcessPlayer(sandbox.start_process(), sandbox.limits.memory_mib, ref.options)

    def _take_sandbox(self, agent: int) -> OpenSandbox:
        """Take a sandbox that waits, for this agent or a spare one, or open one."""
        cache, files = self._slot.sandboxes, (self._sources[agent], self._artefacts[agent])
        waiting = None if cache is None else cache.take(self._key(agent), *files)
        return waiting or self._slot.open_sandbox(self._program(agent), self._limits(agent))

    def _key(self, agent: int) -> SandboxKey:
        options, limits = self._request.agents[agent].options, self._limits(agent)
        sources = self._digests[agent]
        return sandbox_key(self._program(agent), sources, options, limits, self._slot.core)

    def _program(self, agent: int, *, builds: bool = False) -> Program:
        plays = Purpose.DEBUG if self._slot.debug else Purpose.PLAY
        return Program(
            runtime=self._interfaces[agent].runtime,
            adapter=self._adapter(agent),
            purpose=Purpose.BUILD if builds else plays,
            sources=self._sources[agent],
            artefact=self._artefacts[agent],
        )

    def _adapter(self, agent: int) -> Adapter:
        """Return the interface's adapter as this slot uses it."""
        interface = self._interfaces[agent]
        adapter = interface.adapter
        return replace(
            adapter,
            build=interface.build.debug if self._slot.debug else adapter.build,
            reusable=adapter.reusable and self._deals_differ,
        )

    def _build(self, agent: int) -> BuildReport:
        """Compile one agent, unless that was done before. Raises SystemFault."""
        build = partial(self._built, agent)
        slot, interface = self._slot, self._interfaces[agent]
        if slot.sandboxed and slot.builds is not None:
            made = slot.builds.built(interface, self._archives[agent], build, debug=slot.debug)
        else:
            made = build()
        report, self._artefacts[agent] = made
        self._with_retries(partial(self._put_artefact, agent), opens=False)
        return report

    def _put_artefact(self, agent: int) -> None:
        """Put an agent's build into its sandboxes; those opened later have it from the start."""
        for opened in self._sandboxes_of(agent):
            opened.put_artefact(self._artefacts[agent])

    def _built(self, agent: int) -> Built:
        """Compile an agent in a builder, before sandboxes are opened, or in one of them."""
        if self._interfaces[agent].runtime.builder:
            return self._with_retries(partial(self._built_in_builder, agent), opens=False)
        self._reopen_for(self._seating_with(agent))
        return self._with_retries(lambda: self._built_in(self._sandboxes_of(agent)[0], agent))

    def _seating_with(self, agent: int) -> Sequence[int]:
        """Return the present seating, if the agent is in it; else that of its first game."""
        if agent in self._open_for:
            return self._open_for
        seatings = (order.seating for order in self._request.games)
        return next((seating for seating in seatings if agent in seating), (agent,))

    def _built_in_builder(self, agent: int) -> Built:
        limits = replace(self._limits(agent), memory_mib=BUILDER_MIB)
        with closing(self._slot.open_sandbox(self._program(agent, builds=True), limits)) as builder:
            return self._built_in(builder, agent)

    def _built_in(self, opened: OpenSandbox, agent: int) -> Built:
        interface = self._interfaces[agent]
        build = _run_build(opened, interface.build.seconds)
        if interface.runtime.builder and build.exit.status == STATUS_OURS:
            raise HostError(
                f"the image {interface.runtime.builder}: {build.exit.stderr.strip()[-200:]}"
            )
        made = read_build(build)
        is_tried = interface.build.trial_seconds > 0 and made[0].ok and not self._slot.debug
        return self._tried(opened, interface, made) if is_tried else made

    def _tried(self, opened: OpenSandbox, interface: Interface, made: Built) -> Built:
        """Return the second build's result, or the first's: a failed trial is not a fault."""
        opened.put_artefact(made[1])
        tried = read_build(_run_build(opened, interface.build.trial_seconds))
        return tried if tried[0].ok else made

    def _sandboxes_of(self, agent: int) -> list[OpenSandbox]:
        """Return the open sandboxes of one agent."""
        pairs = zip(self.sandboxes, self._open_for, strict=False)
        return [opened for opened, open_for in pairs if open_for == agent]

    def _play_once(self, order: GameRequest) -> tuple[GameResult, bool]:
        began = time.perf_counter_ns()
        seating = order.seating or self._request.seating
        groups = seat_groups(seating, self._mode)
        with self._players(groups) as processes:
            seated = seat_players(groups, processes, self._mode)
            record = play_game(self._game, bytes.fromhex(order.deal_seed), seated, self._mode)
        if record.fault is not None:
            self._require_not_ours(record.fault, seating)
        result = GameResult(
            index=order.index,
            record=record,
            wall_ms=(time.perf_counter_ns() - began) / 1e6,
            max_charged_us=tuple(player.max_charged_us for player in seated),
            peak_memory_kib=tuple(player.peak_memory_kib for player in seated),
            cpu_us=tuple(player.cpu_us for player in seated),
            evidence=self._evidence(record, seated),
            seating=order.seating,
        )
        if wanted := self._request.with_prints_of:
            parts = zip(groups, processes, strict=True)
            marks = [process.prints for group, process in parts if group.agent in wanted]
            result = with_prints(result, printed_by(marks))
        return result, any(process.doubtful for process in processes)

    def _require_not_ours(self, fault: Fault, seating: Sequence[int]) -> None:
        """Raise HostError, to try the game again, if files are gone or a house agent failed."""
        self.require_whole()
        if seating[fault.seat] in self._request.ours:
            ref = self._request.agents[seating[fault.seat]]
            raise HostError(f"an agent of ours failed ({ref.sha256}): {fault.kind}, {fault.detail}")

    def _evidence(
        self, record: Record, seated: Sequence[ProcessPlayer | TeamSeat]
    ) -> Evidence | None:
        evidence = _evidence(record, seated)
        if not self._slot.debug:
            return evidence
        ends = [process_of(player).exit for player in seated]
        return story(evidence, [end.stderr if end is not None else "" for end in ends])

    @contextmanager
    def _players(self, groups: Sequence[SeatGroup]) -> Iterator[list[ProcessPlayer]]:
        """Start a fresh process per group; end all of them on exit."""
        players: list[ProcessPlayer] = []
        free = {agent: self._sandboxes_of(agent) for agent in self._open_for}
        try:
            for group in groups:
                opened = free[group.agent].pop(0)
                players.append(self._player(opened, group.agent))
            yield players
        finally:
            with ExitStack() as stack:
                for player in players:
                    stack.callback(player.close)


def _run_build(opened: OpenSandbox, seconds: float) -> Build:
    """Build once. Raises HostError if files were removed: the outcome may lack some of them."""
    build = opened.sandbox.build(seconds=seconds, output_bytes=BUILD_OUTPUT_BYTES)
    opened.directory.require_whole()
    return build


def _evidence(record: Record, seated: Sequence[ProcessPlayer | TeamSeat]) -> Evidence | None:
    if record.fault is None:
        return None
    return process_of(seated[record.fault.seat]).evidence()
