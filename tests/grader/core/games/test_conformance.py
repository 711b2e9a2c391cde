"""Every game, variant and number of seats passes every check."""

from pathlib import Path

import pytest

from grader.conformance import CHECKS, Trial, every_game, findings
from grader.core import games
from grader.core.games import GAMES
from tests.support.depth import deeper

EVERY_GAME = dict(every_game())
FIRST = {game.name: name for name, game in reversed(EVERY_GAME.items())}
"""Checked in the fast run too, the others in the full one only: by each game's first variant."""


def parameters():
    for name, game in EVERY_GAME.items():
        marks = [] if FIRST[game.name] == name else [pytest.mark.slow]
        yield pytest.param(game, id=name, marks=marks)


@pytest.mark.parametrize("game", list(parameters()))
def test_a_game_conforms(game):
    assert list(findings(Trial(game, looks=deeper(13, deep=100)), CHECKS)) == []


def test_every_folder_of_rules_is_a_game_of_its_name():
    folders = {path.parent.name for path in Path(games.__file__).parent.glob("*/__init__.py")}
    assert folders == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_every_variant_of_a_game_is_checked(name):
    checked = {game.options["variant"] for game in EVERY_GAME.values() if game.name == name}
    assert checked == set(GAMES[name].variants())
