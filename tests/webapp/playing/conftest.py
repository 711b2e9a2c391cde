"""A game that Ada plays with a house agent."""

from collections.abc import Callable

import pytest

from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.selectors import data_of
from webapp.contests.playing.services import act, start_game
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

Start = Callable[..., HumanGame]


@pytest.fixture
def start(assignment: Assignment, ada: User) -> Start:
    def begin(
        by: User = ada, seat: int = 0, agents: tuple[str, ...] = ("house:piers",)
    ) -> HumanGame:
        return start_game(assignment=assignment, by=by, seat=seat, agents=agents)

    return begin


def moves_of(game: HumanGame) -> list[str]:
    return [each["move"] for each in data_of(game)["legal"]]


def play_first(game: HumanGame) -> None:
    act(game=game, by=game.person, turn=game.turns, move=moves_of(game)[0])
