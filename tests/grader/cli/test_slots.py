"""The processes of slots: forks that share nothing but their own pipe with the command."""

import multiprocessing

from grader.cli.slots import open_slots
from grader.play.slot import Slot
from tests.support.processes import wait_until


def test_a_slot_ends_when_its_pipe_is_closed_while_later_ones_go_on() -> None:
    def running() -> int:
        return len(set(multiprocessing.active_children()) - others)

    others = set(multiprocessing.active_children())
    with open_slots({}, [Slot(core=None), Slot(core=None)]) as slots:
        assert running() == 2
        slots[0].connection.close()
        wait_until(lambda: running() == 1, why="a later slot holds the pipe open")
        assert slots[1].is_idle
    assert running() == 0
