"""Costs paid once per sandbox or per message: starting a container, one trip over the pipes."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import sandbox.probes
from grader.bench.contenders import Contender, light
from grader.bench.measure import request_for
from grader.core.errors import SystemFault
from grader.core.games import game_from_options
from grader.core.referee import Reply, referee
from grader.play.build_cache import BuildCache
from grader.play.games import BatchGames, open_games
from grader.play.players import ProcessPlayer
from grader.play.sandbox_cache import SandboxCache
from grader.play.slot import Slot
from grader.worker.cores import bound_to
from sandbox.container import open_container
from sandbox.limits import Limits
from sandbox.program import Adapter, Program
from sandbox.scratch import make_scratch, remove_scratch

_LIMITS: Final = Limits(
    turn_seconds=1.0,
    turn_wall_seconds=3.0,
    start_seconds=5.0,
    memory_mib=256,
    reply_bytes=4096,
    stdout_bytes=1 << 24,
    stderr_bytes=1 << 16,
)
_WARM_UP: Final = 200


def container_seconds(contender: Contender, players: int, core: int) -> float:
    """Time from nothing to all sandboxes of a pool open and the agent built."""
    with _games(contender, players, Slot(core=core)) as games:
        began = time.monotonic()
        games.build()
        return time.monotonic() - began


def first_turn_seconds(players: int, core: int, *, spare: bool = False) -> float:
    """Time from nothing to all sandboxes open and the agent, which was built before, loaded in one.

    With ``spare``, sandboxes are open that no agent has had.
    """
    with TemporaryDirectory() as kept, closing(SandboxCache(max_spares=players)) as cache:
        slot = Slot(core=core, builds=BuildCache(Path(kept)), sandboxes=cache if spare else None)
        with _games(light(), players, slot) as games:
            games.build()
        cache.stock(slot.open_sandbox)
        with _games(light(), players, slot) as games, bound_to(core):
            began = time.monotonic()
            games.build()
            games.run_alone(_load)
            return time.monotonic() - began


def _load(player: ProcessPlayer) -> None:
    """Send the first message of a game. Raises SystemFault if the agent does not load."""
    request = request_for(2, [0])
    game = game_from_options(request.game, request.options)
    turn = next(referee(game, bytes.fromhex(request.games[0].deal_seed)))
    if not isinstance(answer := player.take(turn), Reply):
        raise SystemFault(f"the agent did not load: {answer}")


@contextmanager
def _games(contender: Contender, players: int, slot: Slot) -> Iterator[BatchGames]:
    request = request_for(players, [0])
    game = game_from_options(request.game, request.options)
    with open_games(game, request, [contender.archive()], slot) as games:
        yield games


def round_trips_us(core: int, count: int = 5000) -> list[float]:
    """Times of bare lines to a confined process and back, through clock and deadline.

    Like a slot, this process is bound to the core of the sandbox meanwhile.
    """
    sources = make_scratch("bench")
    program = Program(
        adapter=Adapter(
            paths=(Path(sandbox.probes.__file__).parent,),
            play="probes:echo",
            build="probes:echo",
            preload=("probes",),
        ),
        sources=sources,
    )
    times = []
    with bound_to(core), closing(open_container(program, _LIMITS, core=core)) as opened:
        process = opened.sandbox.start_process()
        for _ in range(count):
            began = time.perf_counter_ns()
            process.ask(b"x" * 300 + b"\n")
            times.append((time.perf_counter_ns() - began) / 1000)
        process.finish(None)
    remove_scratch(sources)
    return sorted(times[_WARM_UP:])
