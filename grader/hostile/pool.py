"""Plays many hostile agents: one process a core, bound to it, as graders' slots are."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from typing import Final

from grader.hostile import arena
from grader.hostile.hostile_programs import HostileProgram
from grader.hostile.report import HostileRow, row
from grader.play.slot import Slot
from grader.worker.cores import cores_from_environment

_CONTEXT: Final = get_context("spawn")
"""Not fork: the calling process may have threads, and children would share its leftovers."""

_slot = Slot(core=None)
"""The slot of this process: a core of its own, if it belongs to a pool."""


class Pool:
    """Takes agents to play; made by ``open_pool``."""

    def __init__(self, executor: ProcessPoolExecutor) -> None:
        self._executor = executor

    def submit(self, hostile_program: HostileProgram, repeats: int) -> Future[HostileRow]:
        """Play an agent as soon as a core is free."""
        return self._executor.submit(_play, hostile_program, repeats)


@contextmanager
def open_pool() -> Iterator[Pool]:
    """A process on each of the grader's cores. Games not begun at the end are not played."""
    cores = cores_from_environment()
    free: SimpleQueue[int] = _CONTEXT.SimpleQueue()
    for core in cores:
        free.put(core)
    executor = ProcessPoolExecutor(len(cores), _CONTEXT, _occupy, (free,))
    try:
        yield Pool(executor)
    finally:
        executor.shutdown(cancel_futures=True)


def _occupy(free: "SimpleQueue[int]") -> None:
    global _slot  # noqa: PLW0603 - of a process that does nothing else
    core = free.get()
    os.sched_setaffinity(0, {core})
    # The table says what the sandbox holds. No agent gains by when a game is played again.
    _slot = Slot(core=core, second_play_within_seconds=0.0)


def _play(hostile_program: HostileProgram, repeats: int) -> HostileRow:
    return row(arena.play(hostile_program, repeats=repeats, slot=_slot))
