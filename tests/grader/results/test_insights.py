"""Statistics of an evaluation: losses by cause, turn and card, and the time of turns."""

from dataclasses import replace
from itertools import pairwise

import pytest

from grader import house
from grader.core.deals import deal_seed
from grader.core.games import game_from_options
from grader.core.records import AgentLimits, Fault, FaultKind, Record
from grader.play.players import LocalPlayer, play_game
from grader.results.evaluation import EvaluationSpec
from grader.results.insights import CountedGame, Insights, insights_of

GAME = game_from_options("hanabi", {"variant": "standard", "players": 2})
SPEC = EvaluationSpec(
    game="hanabi",
    options=dict(GAME.options),
    limits=AgentLimits(),
    seating=(0, 0),
    n_games=6,
)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    agent = house.agent("iggi")
    return [
        play_game(GAME, deal_seed(bytes(32), index), [LocalPlayer(agent) for _ in range(2)])
        for index in range(6)
    ]


def counted(records: list[Record]) -> list[CountedGame]:
    return [CountedGame(index, record.scores[0], record) for index, record in enumerate(records)]


def insights(games: list[CountedGame]) -> Insights:
    return insights_of(SPEC, GAME, games)


def test_causes_add_up_to_the_points_that_the_mean_lacks(records: list[Record]) -> None:
    found = insights(counted(records))
    mean = sum(record.scores[0] for record in records) / len(records)
    assert found.lost == pytest.approx(25 - mean)
    assert sum(cause.points for cause in found.causes) == pytest.approx(found.lost)
    assert sum(span.points for span in found.places) == pytest.approx(found.lost)
    assert "Ended by a fault" not in [cause.words for cause in found.causes]


def test_a_faulted_game_is_a_cause_of_its_own(records: list[Record]) -> None:
    fault = Fault(seat=0, kind=FaultKind.CRASH, turn=0, detail="")
    faulted = replace(records[0], fault=fault, scores=(0, 0))
    found = insights([CountedGame(0, 0, faulted), CountedGame(1, 0, None)])
    assert (found.causes[-1].words, found.causes[-1].points) == ("Ended by a fault", 25)
    assert found.watch is None


def test_the_worst_game_is_the_one_to_watch(records: list[Record]) -> None:
    found = insights(counted(records)).watch
    assert found is not None
    assert found.score == min(record.scores[0] for record in records)
    assert records[found.index].scores[0] == found.score
    assert found.words.startswith("The ")


def test_spans_are_few_and_beside_each_other_and_times_those_of_the_turns(
    records: list[Record],
) -> None:
    found = insights(counted(records))
    for spans in (found.places, found.times):
        assert 1 < len(spans) <= 17
        assert all(a.last + 1 == b.first for a, b in pairwise(spans))
    timed = [replace(record, charged_us=tuple(range(len(record.charged_us)))) for record in records]
    found = insights(counted(timed)).times
    assert all(span.first <= span.median_us <= span.slowest_us <= span.last for span in found)


def test_without_games_there_is_nothing() -> None:
    found = insights([])
    assert (found.lost, found.places, found.watch) == (0.0, (), None)
