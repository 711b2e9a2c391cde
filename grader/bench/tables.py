"""A tournament's table: games of five agents, whose sandboxes are opened for it or wait already."""

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from grader.bench.contenders import LIGHT
from grader.bench.measure import request_for
from grader.core.records import BatchRequest
from grader.play.batch import open_batch
from grader.play.build_cache import BuildCache
from grader.play.sandbox_cache import SandboxCache
from grader.play.slot import Slot
from grader.uploads.archive import read_upload
from grader.worker.cores import bound_to

__all__ = ["GAMES", "SEATS", "TableTimes", "table_times"]

SEATS: Final = 5
GAMES: Final = 20
"""Games of one table."""


class TableTimes(NamedTuple):
    """Seconds of wall time, from the request until all games and sandboxes have ended."""

    opened: float
    """Times with sandboxes that are opened for each table; agents are built already."""
    kept: float
    """Times with sandboxes that an earlier table has left open."""


def table_times(core: int, rounds: int) -> list[TableTimes]:
    """Play the same table both ways, alternating, some times each. Raises SystemFault."""
    request, archives = _table()
    with bound_to(core), TemporaryDirectory() as kept, closing(SandboxCache()) as cache:
        slot = Slot(core=core, builds=BuildCache(Path(kept)))
        keeping = replace(slot, sandboxes=cache)
        _seconds(request, archives, keeping)
        return [
            TableTimes(
                opened=_seconds(request, archives, slot), kept=_seconds(request, archives, keeping)
            )
            for _ in range(rounds)
        ]


def _seconds(request: BatchRequest, archives: list[bytes], slot: Slot) -> float:
    began = time.monotonic()
    with open_batch(request, archives, slot) as batch:
        for _ in batch.games():
            pass
    return time.monotonic() - began


def _table() -> tuple[BatchRequest, list[bytes]]:
    """Five agents that play alike, each with a name of its own in its source."""
    asked = request_for(SEATS, range(GAMES))
    source = LIGHT.read_text(encoding="utf-8")
    archives = [
        read_upload("agent.py", f"{source}\n# agent {seat}\n".encode()).archive()
        for seat in range(SEATS)
    ]
    agents = asked.agents * SEATS
    return replace(asked, agents=agents, seating=tuple(range(SEATS))), archives
