"""Games of OpenSpiel behind Firebox's own interface."""

from collections import Counter

import pyspiel
import pytest

from firebox_openspiel import GAMES, REFUSED
from grader.conformance import CHECKS, Trial, findings
from grader.core import games as known
from grader.core.deals import deal_seed
from grader.core.games import Game

SOME = (
    *("backgammon", "battleship", "breakthrough", "dark_hex", "goofspiel", "kuhn_poker"),
    *(
        "leduc_poker",
        "liars_dice",
        "matrix_pd",
        "oh_hell",
        "othello",
        "skat",
        "tic_tac_toe",
        "yacht",
    ),
)
"""Each kind of information, chance and moves."""
SLOW = {"bridge"}
"""Its returns solve a deal's double dummy: minutes for the checks."""


def cases():
    for name in GAMES:
        short = name.removeprefix("openspiel:")
        if short not in SLOW:
            yield pytest.param(name, marks=[] if short in SOME else [pytest.mark.deep])


@pytest.mark.slow
@pytest.mark.parametrize("name", list(cases()))
def test_a_game_conforms(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(known.GAMES, name, GAMES[name])
    assert list(findings(Trial(usual(name), looks=3), CHECKS)) == []


def test_a_chance_node_is_drawn_with_its_probabilities() -> None:
    """Kuhn poker deals one of three cards, then one of two."""
    drawn = Counter(
        usual("openspiel:kuhn_poker").deal(deal_seed(b"kuhn".ljust(32), number)).text()
        for number in range(3000)
    )
    assert len(drawn) == 6
    assert all(400 < count < 600 for count in drawn.values()), drawn


def test_what_is_not_offered_has_a_reason() -> None:
    names = {kind.short_name for kind in pyspiel.registered_games()}
    offered = {name.removeprefix("openspiel:") for name in GAMES}
    assert offered | REFUSED.keys() == names
    assert not offered & REFUSED.keys()
    assert len(offered) > 100
    assert all(REFUSED.values())


def usual(name: str) -> Game:
    return GAMES[name].from_options({})
