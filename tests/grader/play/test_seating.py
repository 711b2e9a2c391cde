"""Batches whose games differ in their seating, as plain processes, and the agents at fault."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grader.core.deals import PRACTICE_SECRET
from grader.core.errors import RecordError, SystemFault
from grader.core.games import game_from_options
from grader.core.records import AgentLimits, AgentRef, BatchRequest, GameResult
from grader.play.batch import open_batch
from grader.results.evaluation import EvaluationSpec, batch_request
from tests.support.agents import NOBODY, packed
from tests.support.slots import UNCONFINED

pytestmark = pytest.mark.usefixtures("warm_sandboxes")

PLAIN = UNCONFINED
FIRST = """
from firebox import Agent

class First(Agent):
    def act(self, observation):
        return observation.legal_actions[0]
"""
LAST = FIRST.replace("[0]", "[-1]")
BROKEN = FIRST.replace("return", "raise KeyError(observation.seat) if observation.seat else")


def request(
    indices: Sequence[int], *, players: int = 2, opponents: Sequence[str] = ("a", "b")
) -> BatchRequest:
    rules = {"players": players, "hands": 1}
    spec = EvaluationSpec(
        game="hearts",
        options=dict(game_from_options("hearts", rules).options),
        limits=AgentLimits(),
        seating=(0,) + (1,) * (players - 1),
        n_games=2 * players * len(opponents),
        opponents=tuple(opponents),
    )
    return batch_request(
        spec,
        evaluation="e",
        batch="b",
        agents=[AgentRef(interface="python", sha256=NOBODY)] * (1 + len(opponents)),
        secret=PRACTICE_SECRET,
        indices=indices,
    )


def play(asked: BatchRequest, *sources: str) -> list[GameResult]:
    with open_batch(asked, [packed(source) for source in sources], PLAIN) as batch:
        assert batch.playable, batch.builds
        return list(batch.games())


def test_agents_change_seats_from_game_to_game() -> None:
    there, back = play(request([0, 2]), FIRST, LAST, LAST)
    assert (there.seating, back.seating) == ((0, 1), (1, 0))
    assert there.record.deal_seed == back.record.deal_seed
    assert there.record.actions != back.record.actions


def test_a_copy_of_the_agent_as_opponent_makes_all_sittings_the_same_game() -> None:
    records = [result.record for result in play(request([0, 2]), FIRST, FIRST, LAST)]
    assert records[0].actions == records[1].actions


@pytest.mark.slow
def test_games_against_different_opponents_are_in_one_batch() -> None:
    """Games 2 and 4 are of the same deal, against the first and against the second."""
    against_first, against_second = play(request([2, 4]), FIRST, LAST, FIRST)
    assert (against_first.seating, against_second.seating) == ((1, 0), (0, 2))
    alone = play(request([4]), FIRST, LAST, FIRST)
    assert alone[0].record.actions == against_second.record.actions


@pytest.mark.slow
def test_with_four_seats_the_agent_is_at_each_of_them() -> None:
    results = play(request([0, 2, 4, 6], players=4), FIRST, LAST, LAST)
    assert [result.seating.index(0) for result in results] == [0, 1, 2, 3]
    assert all(result.record.fault is None for result in results)


def test_the_agents_own_fault_is_a_result() -> None:
    (result,) = play(request([2]), BROKEN, LAST, LAST)
    assert result.record.fault is not None
    assert result.record.fault.seat == result.seating.index(0) == 1


@pytest.mark.slow
def test_an_opponents_fault_is_ours_and_tried_again_before_we_give_up() -> None:
    asked = request([0])
    with (
        pytest.raises(SystemFault, match=r"an agent of ours failed \(0+\): crash.*; .*; "),
        open_batch(asked, [packed(FIRST), packed(BROKEN), packed(LAST)], PLAIN) as batch,
    ):
        list(batch.games())


@pytest.mark.parametrize("seating", [(0, 1, 1), (0, 3), (0, -1)])
def test_a_seating_that_does_not_fit_is_refused(seating: tuple[int, ...]) -> None:
    asked = request([0])
    asked = replace(asked, games=(replace(asked.games[0], seating=seating),))
    with pytest.raises(RecordError, match="do not fit its game"):
        play(asked, FIRST, LAST, LAST)


def test_games_without_a_seating_of_their_own_have_that_of_the_request() -> None:
    asked = replace(request([2]), seating=(1, 0))
    asked = replace(asked, games=(replace(asked.games[0], seating=()),))
    (result,) = play(asked, FIRST, LAST, LAST)
    assert result.seating == ()
    (same,) = play(request([2]), FIRST, LAST, LAST)
    assert result.record.actions == same.record.actions
