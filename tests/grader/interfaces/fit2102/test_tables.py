"""Our agents in Haskell at one table in real sandboxes: none is at fault."""

from dataclasses import replace
from typing import Final

import pytest

from tests.grader.interfaces.fit2102.uploads import AGENTS, folder, request_for
from tests.grader.interfaces.outcomes import played

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

NAMES: Final = sorted(path.name for path in AGENTS.iterdir())


@pytest.mark.parametrize("players", [2, 4])
def test_every_agent_plays_at_every_seat_without_a_fault(players: int) -> None:
    """The agents share tables, and move on by a seat after each game."""
    count = len(NAMES)
    tables = [
        tuple((first + seat) % count for seat in range(players))
        for first in range(0, count, players)
    ]
    seatings = [table[at:] + table[:at] for table in tables for at in range(players)]
    request = request_for(range(len(seatings)), players=players, hands=3)
    request = replace(
        request,
        agents=request.agents * count,
        seating=seatings[0],
        games=tuple(
            replace(game, seating=seats)
            for game, seats in zip(request.games, seatings, strict=True)
        ),
    )
    results = played(request, [folder(name) for name in NAMES])
    faults = [result.record.fault for result in results if result.record.fault]
    assert faults == []
    seats = {(agent, seat) for one in results for seat, agent in enumerate(one.seating)}
    assert seats == {(agent, seat) for agent in range(count) for seat in range(players)}


@pytest.mark.deep
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("agent", NAMES)
def test_every_agent_plays_with_itself_without_a_fault(agent: str, players: int) -> None:
    request = request_for(range(5), players=players, hands=3)
    results = played(request, [folder(agent)])
    assert [result.record.fault for result in results] == [None] * 5
