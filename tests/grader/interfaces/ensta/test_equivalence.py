"""Team mode plays the very moves that the course's own way of playing does."""

import runpy
import sys
from functools import partial
from typing import Any

import pytest

from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.core.records import GameResult, Mode
from grader.interfaces.ensta_python import hanabi
from grader.interfaces.ensta_python.hanabi.deck import Color
from tests.grader.interfaces.ensta.course import dealt, play_as_in_the_course
from tests.grader.interfaces.ensta.playing import AGENTS, files_of, play, request
from tests.support.depth import deeper

pytestmark = pytest.mark.usefixtures("warm_sandboxes")

GAMES = deeper(8, deep=20)
CLASSES = {"careful": "Careful", "shares_memory": "Partners", "marks_cards": "Marker"}


@pytest.fixture
def course(monkeypatch: pytest.MonkeyPatch) -> None:
    """The course's module under the name that agents import it by, as at home."""
    modules = {"hanabi": hanabi, "hanabi.ai": hanabi.ai, "hanabi.deck": hanabi.deck}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)


def class_of(agent: str) -> Any:
    (file,) = (AGENTS / agent).glob("*.py")
    return runpy.run_path(str(file))[CLASSES[agent]]


def course_games(agent: str, players: int) -> list[list[str]]:
    agent_class = class_of(agent)
    seeds = [deal_seed(PRACTICE_SECRET, index) for index in range(GAMES)]
    return [play_as_in_the_course(agent_class, players, seed) for seed in seeds]


def notation(move: str, seat: int, players: int) -> str:
    if move[0] != "c":
        return f"{move[0]}{int(move[1:]) - 1}"
    names = "ABCDE"[seat:players] + "ABCDE"[:seat]
    offset = names.index(move[2]) if len(move) > 2 else 1
    return f"h{(seat + offset) % players}{move[1]}"


def as_record(moves: list[str], players: int) -> str:
    return " ".join(notation(move, turn % players, players) for turn, move in enumerate(moves))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("agent", list(CLASSES))
@pytest.mark.slow
@pytest.mark.usefixtures("course")
def test_an_agent_makes_the_same_moves_as_in_the_course(agent: str, players: int) -> None:
    ours: list[GameResult] = play(files_of(agent), request(GAMES, players=players, mode=Mode.TEAM))
    theirs = [as_record(moves, players) for moves in course_games(agent, players)]
    assert [result.record.actions for result in ours] == theirs


@pytest.mark.parametrize("agent", list(CLASSES))
@pytest.mark.usefixtures("course")
def test_a_game_of_an_agents_own_goes_as_in_the_course(agent: str) -> None:
    for index, players in enumerate((2, 3, 5)):
        seed = deal_seed(PRACTICE_SECRET, index)
        game = dealt(players, seed)
        game.ai = class_of(agent)(game)
        assert set(iter(partial(game.turn, game.ai), False)) == {None}  # up to a StopIteration
        assert game.moves == play_as_in_the_course(class_of(agent), players, seed)


class Careless:
    def play(self) -> str:
        raise AssertionError("asked")


@pytest.mark.parametrize("agent", [None, Careless()])
def test_a_given_move_that_is_not_valid_is_only_noted(agent: Any) -> None:
    game = dealt(3, deal_seed(PRACTICE_SECRET, 0))
    game.ai = agent
    invalid = ["d1", "p6", "x", "", "c1A", "c6", "cRed"]
    for move in invalid:
        game.turn(move)
    assert (game.moves, game.players[0]) == (invalid, "Alice")
    assert game.blue_coins == 7  # "cRed" is for a player "e"
    game.turn(f"c{game.hands[1].cards[0].number}Benji")
    game.turn("d")
    assert (game.blue_coins, game.players[0], len(game.discard_pile)) == (7, "Clara", 1)


def test_the_course_deals_the_referees_cards() -> None:
    game = dealt(3, deal_seed(PRACTICE_SECRET, 0))
    assert (sum(map(len, game.hands)), len(game.deck.cards)) == (15, 35)
    assert all(isinstance(card.color, Color) for hand in game.hands for card in hand.cards)
