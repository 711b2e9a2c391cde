"""Lin and Xu's strategies: they play by the rules, and reach about what the paper says."""

import pytest

from grader.cli.paper import measure
from grader.core.deals import PRACTICE_SECRET
from grader.house import cs221
from grader.house.cs221.informationless import InformationlessStrategy, modulus, number_of
from grader.interfaces.cs221_python.firebox_cs221.parts import AgentState, GameStateData, Rule
from grader.interfaces.cs221_python.firebox_cs221.simulator import GameState
from grader.results.statistics import summarise
from tests.support.every import every


@pytest.mark.slow
@every("players", [2, 3, 4, 5])
@every("name", cs221.NAMES)
def test_a_strategy_plays_with_any_number_of_players(name: str, players: int) -> None:
    assert all(0 <= score <= 25 for score in measure(name, players, PRACTICE_SECRET, range(2)))


@pytest.mark.parametrize("name", cs221.NAMES)
def test_the_same_deals_give_the_same_scores(name: str) -> None:
    first, second = (list(measure(name, 3, PRACTICE_SECRET, range(3))) for _ in range(2))
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize("name", cs221.NAMES)
def test_a_strategy_reaches_what_the_paper_says(name: str) -> None:
    """Within a point and what chance does to a hundred games."""
    summary = summarise(list(measure(name, 4, PRACTICE_SECRET, range(100))))
    assert summary.mean is not None
    assert summary.half_width is not None
    assert abs(summary.mean - cs221.NAMES[name].paper) < 1 + summary.half_width


def test_a_bundle_has_the_same_bytes_every_time_and_unknown_names_are_refused() -> None:
    with pytest.raises(LookupError, match="no strategy is called 'magic'"):
        cs221.agent("magic")
    assert cs221.bundle("information") == cs221.bundle("information")


@pytest.mark.parametrize("name", ["oracle", "magic"])
def test_the_oracle_cannot_be_submitted(name: str) -> None:
    with pytest.raises(LookupError, match="cannot be submitted"):
        cs221.bundle(name)


def hands(*cards: list[tuple[int, int]]) -> GameState:
    """A state in which these are held and nothing was played."""
    rule, data = Rule(5, [3, 2, 2, 2, 1], 4, 7, len(cards)), GameStateData()
    data.clue, data.agentState = rule.numClue, [AgentState(each) for each in cards]
    return GameState(rule, data)


FILLER = [(c, 3) for c in range(4)]
"""A hand of which nothing fits."""


def with_one(at: int, color: int = 0) -> list[tuple[int, int]]:
    """A hand with a card that fits at one place."""
    return [*FILLER[:at], (color, 0), *FILLER[at + 1 :]]


def test_a_clue_tells_everybody_which_card_to_play() -> None:
    state = hands(FILLER, with_one(2, color=1), with_one(0, color=2), with_one(3, color=3))
    sender = InformationlessStrategy(0)
    clue = sender.getAction(state)
    assert number_of(state, 0, clue) == (3 + 1 + 4) % 5
    for index, place in ((1, 2), (2, 0), (3, 3)):
        receiver = InformationlessStrategy(index)
        receiver.inference(state, 0, clue)
        assert receiver.getAction(state) == ("play", place)


def test_the_holder_of_a_copy_is_misled_as_in_the_paper() -> None:
    """Seat 1's value is made 0, for seat 2 holds the same card; seat 2 cannot know that."""
    state = hands(FILLER, with_one(2), with_one(0), FILLER)
    clue = InformationlessStrategy(0).getAction(state)
    state.data.agentState[2].cards = [(None, None)] * 4
    receiver = InformationlessStrategy(2)
    receiver.inference(state, 0, clue)
    assert state.data.agentState[2].infer != [True, False, False, False]


def test_hints_are_forgotten_after_a_play() -> None:
    state = hands(FILLER, with_one(2), FILLER, FILLER)
    receiver = InformationlessStrategy(1)
    receiver.inference(state, 0, InformationlessStrategy(0).getAction(state))
    receiver.inference(state, 3, ("play", 0))
    assert state.data.agentState[1].infer == [None] * 4


@pytest.mark.parametrize(("players", "numbers"), [(2, 2), (3, 4), (4, 5), (5, 5)])
def test_clues_tell_as_many_numbers_as_there_are(players: int, numbers: int) -> None:
    state = hands(*[FILLER] * players)
    assert modulus(state) == numbers
    told = {number_of(state, 0, action) for action in state.getLegalActions(0)[8:]}
    assert told == set(range(numbers))
