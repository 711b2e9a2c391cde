"""Plays the games of a batch in one slot: one core, one sandbox per seat, one game after another.

In mode ``team`` the seats of an agent are a group with one sandbox and one process.

Synchronous on purpose: measured, nothing concurrent is faster on one core, and no two agents ever
compete for it. The caller must have bound the process to the same core.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec import UNSET

from grader.core.games import Game
from grader.core.line_wire import LineWire
from grader.core.prints import with_prints
from grader.core.records import (
    BatchRequest,
    BuildReport,
    Evidence,
    Fault,
    GameRequest,
    GameResult,
    Mode,
    Record,
)
from grader.interfaces import interface_named, mode_of
from grader.play.build_cache import Built
from grader.play.building import BatchAgent
from grader.play.debug import story
from grader.play.line_player import LinePlayer
from grader.play.players import ProcessPlayer, SeatPlayer, TeamSeat, play_game
from grader.play.pool import SandboxPool
from grader.play.prints import printed_by
from grader.play.refereed import RefereedGame
from grader.play.retries import Retries
from grader.play.slot import Slot
from grader.uploads.archive import unpack
from sandbox.errors import HostError
from sandbox.open_sandbox import OpenSandbox
from sandbox.scratch import make_scratch, remove_scratch

T = TypeVar("T")


class ProcessSeats(NamedTuple):
    """The seats that one process plays: one, or in mode ``team`` all of an agent."""

    agent: int
    seats: tuple[int, ...]


@contextmanager
def open_games(
    game: Game, request: BatchRequest, archives: Sequence[bytes], slot: Slot
) -> Iterator["BatchGames"]:
    """Unpack the stored sources of the request's agents; on leaving, free everything.

    Raises SystemFault for sources that cannot be unpacked.
    """
    with ExitStack() as stack:
        sources = [_unpacked(stack, archive) for archive in archives]
        games = BatchGames(game, request, archives, sources, slot)
        stack.callback(games.pool.close)
        yield games


def _unpacked(stack: ExitStack, archive: bytes) -> Path:
    directory = make_scratch("sources")
    stack.callback(remove_scratch, directory)
    unpack(archive, directory)
    return directory


class BatchGames:
    """A batch's agents in their sandboxes. Each method raises SystemFault after failures of ours.

    ``build`` first; a sandbox that is lost is then replaced, and its game played again.
    """

    def __init__(
        self,
        game: Game,
        request: BatchRequest,
        archives: Sequence[bytes],
        sources: Sequence[Path],
        slot: Slot,
    ) -> None:
        self._game = game
        self._request = request
        self._slot = slot
        interfaces = [agent.interface for agent in request.agents]
        self._mode = mode_of(interfaces, request.seating, request.mode)
        deals = {order.deal_seed for order in request.games}
        reusable = len(deals) == len(request.games)  # an agent could know the cards of a deal
        self._agents = [
            BatchAgent(ref, request.limits, archive, folder, slot, reusable=reusable)
            for ref, archive, folder in zip(request.agents, archives, sources, strict=True)
        ]
        seatings = dict.fromkeys(order.seating for order in request.games if order.seating)
        groups = [_grouped_agents(seating, self._mode) for seating in seatings or [request.seating]]
        self.pool = SandboxPool(slot, self._agents, groups)
        self.retries = Retries(slot, self.pool.close)

    def build(self) -> tuple[BuildReport, ...]:
        """Build each agent once, and open the sandboxes if all are playable."""
        agents = range(len(self._agents))
        # Machine code must be there when sandboxes open.
        first = sorted(agents, key=lambda agent: not self._agents[agent].has_builder)
        reports = {agent: self._build(agent) for agent in first}
        if all(report.ok for report in reports.values()):
            self.retries.run(self.pool.open)  # an agent compiled earlier has no open sandbox yet
        return tuple(reports[agent] for agent in agents)

    def play(self, order: GameRequest) -> tuple[GameResult, bool]:
        """Play one game; return its result, and whether it ended in a doubtful timeout."""
        self._reopen_for(order)
        return self._in_sandboxes(lambda: self._play_once(order))

    def play_again(self, order: GameRequest) -> GameResult:
        """Play a game that was played before, in processes that play nothing else."""
        self._reopen_for(order)

        def once() -> GameResult:
            for opened in self.pool.sandboxes:
                opened.sandbox.end_kept()
            return self._play_once(order)[0]

        return self._in_sandboxes(once)

    def run_alone(self, act: Callable[[ProcessPlayer], T], own_seats: Sequence[int]) -> T:
        """Run ``act`` with a fresh process in the first sandbox, for an agent with these seats."""

        def once() -> T:
            with closing(self._first_player(own_seats)) as player:
                outcome = act(player)
            self.pool.require_whole()
            return outcome

        return self._in_sandboxes(once)

    def start(self, own_seats: Sequence[int]) -> ProcessPlayer:
        """Start a process in the first sandbox, for its owner to close."""
        return self._in_sandboxes(lambda: self._first_player(own_seats))

    def _in_sandboxes(self, act: Callable[[], T]) -> T:
        def once() -> T:
            self.pool.open()
            return act()

        return self.retries.run(once)

    def _seating(self, order: GameRequest) -> Sequence[int]:
        return order.seating or self._request.seating

    def _reopen_for(self, order: GameRequest) -> None:
        self.pool.reopen_for(_grouped_agents(self._seating(order), self._mode))

    def _build(self, at: int) -> BuildReport:
        agent = self._agents[at]

        def build() -> Built:
            if agent.has_builder:
                return self.retries.run(agent.built_in_builder)
            self.pool.reopen_with(at)
            return self._in_sandboxes(lambda: agent.built_in(self.pool.of(at)[0]))

        def put_artefact() -> None:  # sandboxes opened later have it from the start
            for opened in self.pool.of(at):
                opened.put_artefact(agent.artefact)

        report = agent.compile(build)
        self.retries.run(put_artefact)
        return report

    def _player(self, opened: OpenSandbox, agent: int, own_seats: Sequence[int]) -> ProcessPlayer:
        sandbox, ref = opened.sandbox, self._request.agents[agent]
        limits = sandbox.limits
        interface = interface_named(ref.interface)
        if interface.rules.lines:
            wire = LineWire(self._game, limits.turn_seconds)
            process = sandbox.start_process()
            return LinePlayer(process, limits.memory_mib, wire, greets=interface.greets)
        is_mixed = len(own_seats) < self._game.seats
        told = own_seats if is_mixed and interface.hears_own_seats else ()
        return ProcessPlayer(sandbox.start_process(), limits.memory_mib, ref.options, told)

    def _first_player(self, own_seats: Sequence[int]) -> ProcessPlayer:
        return self._player(self.pool.sandboxes[0], self.pool.open_for[0], own_seats)

    def _play_once(self, order: GameRequest) -> tuple[GameResult, bool]:
        began = time.perf_counter_ns()
        seating = self._seating(order)
        groups = seat_groups(seating, self._mode)
        with self._players(groups) as processes:
            seated = _seat_players(groups, processes, self._mode)
            seed, begun = bytes.fromhex(order.deal_seed), (order.begun or "").split()
            record, drawn = _played(self._game, seed, seated, self._mode, begun)
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
            drawn=drawn or UNSET,
        )
        if wanted := self._request.with_prints_of:
            parts = zip(groups, processes, strict=True)
            marks = [process.prints for group, process in parts if group.agent in wanted]
            result = with_prints(result, printed_by(marks))
        return result, any(process.doubtful for process in processes)

    @contextmanager
    def _players(self, groups: Sequence[ProcessSeats]) -> Iterator[list[ProcessPlayer]]:
        players: list[ProcessPlayer] = []
        free = {agent: self.pool.of(agent) for agent in self.pool.open_for}
        try:
            for group in groups:
                opened = free[group.agent].pop(0)
                own = [one.seats for one in groups if one.agent == group.agent]
                players.append(self._player(opened, group.agent, list(chain(*own))))
            yield players
        finally:
            with ExitStack() as stack:
                for player in players:
                    stack.callback(player.close)

    def _require_not_ours(self, fault: Fault, seating: Sequence[int]) -> None:
        """Raise HostError, to try the game again, if files are gone or a house agent failed."""
        self.pool.require_whole()
        if seating[fault.seat] in self._request.ours:
            ref = self._request.agents[seating[fault.seat]]
            raise HostError(f"an agent of ours failed ({ref.sha256}): {fault.kind}, {fault.detail}")

    def _evidence(
        self, record: Record, seated: Sequence[ProcessPlayer | TeamSeat]
    ) -> Evidence | None:
        fault = record.fault
        evidence = None if fault is None else _process_of(seated[fault.seat]).evidence()
        if not self._slot.debug:
            return evidence
        ends = [_process_of(player).exit for player in seated]
        return story(evidence, [end.stderr if end is not None else "" for end in ends])


def _played(
    game: Game, seed: bytes, seated: Sequence[SeatPlayer], mode: Mode, begun: Sequence[str]
) -> tuple[Record, str]:
    if not isinstance(game, RefereedGame):
        return play_game(game, seed, seated, mode, begun), ""
    with game.play():
        record = play_game(game, seed, seated, mode, begun)
    return record, game.drawn(record)


def seat_groups(seating: Sequence[int], mode: Mode) -> tuple[ProcessSeats, ...]:
    """Return the groups of a game, in the order of their first seats."""
    if mode is Mode.SEAT:
        return tuple(ProcessSeats(agent, (seat,)) for seat, agent in enumerate(seating))
    return tuple(
        ProcessSeats(agent, tuple(seat for seat, at in enumerate(seating) if at == agent))
        for agent in dict.fromkeys(seating)
    )


def _grouped_agents(seating: Sequence[int], mode: Mode) -> tuple[int, ...]:
    return tuple(sorted(group.agent for group in seat_groups(seating, mode)))


def _seat_players(
    groups: Sequence[ProcessSeats], processes: Sequence[ProcessPlayer], mode: Mode
) -> Sequence[ProcessPlayer | TeamSeat]:
    """Return the players by seat. Of a shared process only the first seat has figures."""
    players: dict[int, ProcessPlayer | TeamSeat] = {}
    for group, process in zip(groups, processes, strict=True):
        for seat in group.seats:
            players[seat] = (
                process if mode is Mode.SEAT else TeamSeat(process, accounts=seat == group.seats[0])
            )
    return [players[seat] for seat in sorted(players)]


def _process_of(player: ProcessPlayer | TeamSeat) -> ProcessPlayer:
    return player.process if isinstance(player, TeamSeat) else player
