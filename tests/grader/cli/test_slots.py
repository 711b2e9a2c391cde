"""The processes of slots: forks that share nothing but their own pipe with the command."""

import multiprocessing

import pytest

from grader.cli import slots
from grader.cli.slots import LocalEvaluation, SlotProcess, _Schedule, open_slots
from grader.core.errors import SystemFault
from grader.core.records import AgentLimits, BatchPhase, BatchReport, BatchRequest
from grader.results.evaluation import EvaluationSpec
from tests.grader.played import SECRET, random_record, result
from tests.support.processes import wait_until
from tests.support.slots import UNCONFINED


def test_a_slot_ends_when_its_pipe_is_closed_while_later_ones_go_on() -> None:
    def running() -> int:
        return len(set(multiprocessing.active_children()) - others)

    others = set(multiprocessing.active_children())
    with open_slots({}, UNCONFINED, [None, None]) as slots:
        assert running() == 2
        slots[0].connection.close()
        wait_until(lambda: running() == 1, why="a later slot holds the pipe open")
        assert slots[1].is_idle
    assert running() == 0


def test_a_slot_that_died_while_it_was_idle_is_our_failure() -> None:
    ours, theirs = multiprocessing.Pipe()
    theirs.close()
    request = BatchRequest(
        evaluation="",
        batch="",
        game="hanabi",
        options={},
        limits=AgentLimits(),
        agents=(),
        seating=(),
        games=(),
        max_consecutive_faults=0,
        check_first=True,
    )
    with ours, pytest.raises(SystemFault, match="ended unexpectedly"):
        SlotProcess(ours).begin(request)


def test_looks_at_the_precision_do_not_go_through_all_games_after_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []
    monkeypatch.setattr(slots, "precise_enough", lambda *given: looks.append(len(given[2])))
    spec = EvaluationSpec(
        game="hanabi",
        options={"players": 2},
        limits=AgentLimits(),
        seating=(0, 0),
        n_games=2000,
        half_width=0.01,
    )
    job = LocalEvaluation(spec=spec, agents=(), archives=(), secret=SECRET, slot=UNCONFINED)
    schedule, record = _Schedule(job, 1), random_record()
    for index in range(spec.n_games):
        results = (result(index, record),)
        phase = BatchPhase.PLAYING
        schedule.note(BatchReport(evaluation="", batch="", phase=phase, results=results))
    assert sum(looks) < 100 * spec.n_games
    assert max(looks) > 0.97 * spec.n_games
