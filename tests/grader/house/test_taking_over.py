"""House agents take over seats in the middle of games that others began."""

from random import Random

import pytest

from firebox.seat import LocalSeat
from grader.core.deals import deal_seed
from grader.core.games import GAMES, game_from_options
from grader.core.games.base import Game
from grader.core.position import play_on
from grader.house.catalogue import answering
from tests.support.depth import deeper

TABLES = [
    game_from_options(name, {"players": players})
    for name, game in GAMES.items()
    for players in {game.default_players, 3}
]


def begun(rules: Game, seed: bytes, turns: int) -> list[str]:
    state, actions = rules.deal(seed), list[str]()
    random = Random(seed)  # noqa: S311 - no secret
    while len(actions) < turns and state.seat_to_act is not None:
        action = random.choice(state.legal_actions())
        actions.append(rules.notate(action))
        state.apply(action)
    return actions


@pytest.mark.slow
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.name}-{rules.seats}")
def test_a_house_agent_goes_on_from_moves_that_it_would_never_have_made(rules: Game) -> None:
    for name, agent in answering(rules).items():
        assert agent.local is not None
        for index in range(deeper(3, deep=60)):
            seed = deal_seed(b"seats taken over", index)
            before = begun(rules, seed, turns=5 + 7 * index % 23)
            players = {seat: LocalSeat(agent.local()).send for seat in range(rules.seats)}
            after = play_on(rules, seed, before, players)
            assert after.asked is None, name
            assert list(after.actions[: len(before)]) == before
