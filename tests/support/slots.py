"""Slots for tests: each test process plays on a core of its own, and compiles an agent once."""

import os
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Final

from grader.play.build_cache import BuildCache
from grader.play.slot import Slot
from grader.worker.cores import bound_to

BUILDS_VARIABLE: Final = "FIREBOX_TEST_BUILDS"
"""Names the directory of built agents that all processes of a test run share: `kept_builds`."""

_AT_ONCE: Final = Slot(core=None, second_play_within_seconds=0.0)
"""Plays a game again without a pause, which is for agents that guess at the time."""

UNCONFINED: Final = replace(_AT_ONCE, sandboxed=False)
"""Plays agents as ordinary processes, on any core."""

WORLDS_VARIABLE: Final = "FIREBOX_TEST_WORLDS"
"""Names the directory of worlds that all processes of a test run share: see `templates`."""

_CORES: Final = frozenset(os.sched_getaffinity(0))
"""Cores of this process before it is bound to one."""


def bind_to_core(worker: int) -> None:
    """Bind this process, and those that it starts, to one core: the next one for each worker."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[worker % len(cores)]})


def own_core() -> int:
    """Return the core that this test process may use, or the first of several."""
    return min(os.sched_getaffinity(0))


def on_every_core() -> AbstractContextManager[None]:
    """Let this process, and those that it starts, use every core: for tests of several slots."""
    return bound_to(*_CORES)


def confined(*, debug: bool = False, compile_anew: bool = False) -> Slot:
    """Return a slot with sandboxes on this process's core; agents are compiled once by default."""
    builds = None if compile_anew else BuildCache(Path(os.environ[BUILDS_VARIABLE]))
    return replace(_AT_ONCE, core=own_core(), builds=builds, debug=debug)
