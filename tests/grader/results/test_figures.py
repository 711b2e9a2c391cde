"""Figures of games: scores, shares of wins, intervals that respect shared deals."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from grader.core.errors import RecordError
from grader.core.games import game_from_options
from grader.core.records import AgentLimits, AgentRef, Fault, FaultKind
from grader.results.evaluation import EvaluationSpec, game_setup
from grader.results.export import EvaluationExport, export_evaluation, verify_export
from grader.results.figures import Against, GameOutcome, figures, outcome
from grader.results.grading_scheme import Beaten, GradingScheme
from grader.results.statistics import summarise
from tests.grader.played import SECRET, random_record, result

PAIR = game_from_options("hearts", {"players": 2})
FOUR = game_from_options("hearts", {"players": 4})
TEAM = game_from_options("hanabi", {"players": 2})


def spec(n_games: int, *opponents: str, players: int = 2) -> EvaluationSpec:
    return EvaluationSpec(
        game="hearts",
        options=dict(game_from_options("hearts", {"players": players}).options),
        limits=AgentLimits(),
        seating=(0,) + (1,) * (players - 1),
        n_games=n_games,
        max_consecutive_faults=3,
        opponents=opponents,
    )


def against(outcomes: Sequence[GameOutcome | None], *opponents: str) -> Against:
    found = figures(spec(len(outcomes), *opponents), PAIR, dict(enumerate(outcomes))).against
    assert found is not None
    return found


WON, TIED, LOST = GameOutcome(10, 2), GameOutcome(50, 1), GameOutcome(100, 0)


# One game


@pytest.mark.parametrize(
    ("scores", "won"),
    [
        ((10, 40, 101, 30), 12),
        ((10, 10, 101, 30), 6),
        ((10, 10, 10, 101), 4),
        ((11, 10, 9, 101), 0),
    ],
)
def test_a_win_is_shared_among_those_with_fewest_points(scores: tuple[int, ...], won: int) -> None:
    assert outcome(FOUR, scores, 0) == GameOutcome(scores[0], won)


def test_most_points_win_where_points_are_good() -> None:
    assert outcome(TEAM, (20, 18), 0).won == 2
    assert outcome(TEAM, (20, 18), 1).won == 0


def test_a_seat_without_a_score_is_an_error() -> None:
    with pytest.raises(RecordError, match="no score for agent 0"):
        outcome(PAIR, (3,), 1)


# Many games


def test_there_are_figures_against_each_opponent_and_over_all() -> None:
    found = against([WON, WON, WON, TIED, LOST, LOST, LOST, WON], "easy", "hard")
    assert [(each.name, each.games, each.won.mean) for each in found.opponents] == [
        ("easy", 4, 0.875),
        ("hard", 4, 0.25),
    ]
    assert found.won.mean == 0.5625
    assert found.shares == {"easy": 0.875, "hard": 0.25}
    assert found.opponents[0].mean.mean == 20


@pytest.mark.parametrize("games", [20, 60, 400])
def test_a_share_of_whole_percent_reaches_the_threshold_of_as_many(games: int) -> None:
    for percent in range(0, 101, 5):
        wins = games * percent // 100
        outcomes = [GameOutcome(0, 12)] * wins + [GameOutcome(100, 0)] * (games - wins)
        found = figures(spec(games, "easy", players=4), FOUR, dict(enumerate(outcomes))).against
        assert found is not None
        beaten = Beaten(opponent="easy", won=Decimal(percent) / 100, points=Decimal(5))
        scheme = GradingScheme(full_mean=None, beaten=(beaten,))
        # The opponent itself wins half of the games: half is not enough.
        assert scheme.points(0, found.shares) == (0 if percent == 50 else 5), percent


def test_a_share_that_was_stored_with_rounding_errors_reaches_its_threshold() -> None:
    found = against([WON, LOST] * 2, "easy")
    stored = replace(found.opponents[0], won=replace(found.won, mean=0.5499999999999999))
    assert replace(found, opponents=(stored,)).shares == {"easy": 0.55}


def test_a_deal_is_the_unit_of_every_interval() -> None:
    """Games of one deal are not independent: each adds nothing new."""
    found = against([WON] * 10 + [LOST] * 10, "easy")
    assert (found.won.n, found.won.mean, found.won.standard_error) == (10, 0.5, 0)
    unpaired = summarise([each.won for each in [WON, LOST] * 10])
    assert unpaired.standard_error is not None
    assert unpaired.standard_error > 0
    found = against([WON, LOST] * 4, "easy", "hard")
    assert found.won.n == 2
    assert found.won.standard_error == found.opponents[0].won.standard_error
    outcomes = dict(enumerate([WON] * 10 + [LOST] * 10))
    summary = figures(spec(20, "easy"), PAIR, outcomes).summary
    assert (summary.mean, summary.standard_error, summary.low, summary.high) == (55, 0, 55, 55)
    assert summary.histogram == ((10, 10), (100, 10))


def test_a_fault_costs_the_worst_score_and_wins_nothing() -> None:
    worst = PAIR.fault_scores[0]
    found = figures(spec(2, "easy"), PAIR, {0: WON, 1: None})
    assert found.summary.histogram == ((10, 1), (worst, 1))
    assert found.against is not None
    assert found.against.won.mean == 0.5


def test_hearts_has_no_lost_games() -> None:
    outcomes = {0: GameOutcome(0, 2), 1: GameOutcome(0, 1)}
    assert figures(spec(2, "easy"), PAIR, outcomes).summary.lost == 0


def test_without_opponents_there_are_only_scores() -> None:
    found = figures(replace(spec(2), seating=(0, 0)), PAIR, {0: WON, 1: LOST})
    assert found.against is None
    assert found.summary.n == 2


# The file that proves it


def exported(n_games: int = 4) -> EvaluationExport:
    plan = spec(n_games, "easy")
    results = []
    for index in range(n_games):
        deal, seating = game_setup(plan, index)
        record = random_record(deal, name="hearts")
        results.append(replace(result(index, record), seating=seating))
    agents = [AgentRef(interface="python", sha256=digit * 64) for digit in "01"]
    return export_evaluation(
        plan, title="", secret=SECRET, reveal_secret=True, agents=agents, results=results
    )


def changed(export: EvaluationExport, index: int, **fields: object) -> EvaluationExport:
    results = list(export.results)
    results[index] = replace(results[index], **fields)  # type: ignore[arg-type]  # by keyword
    return replace(export, results=tuple(results))


def test_an_evaluation_against_opponents_is_verified_from_its_games() -> None:
    export = exported()
    report = verify_export(export)
    assert report.ok
    assert report.against == export.against
    assert report.against is not None


def test_verification_finds_what_the_games_do_not_give() -> None:
    export = exported()
    record = export.results[0].record
    faulted = replace(
        record,
        actions="",
        charged_us=(),
        ending="fault",
        fault=Fault(seat=1, kind=FaultKind.CRASH, turn=-1, detail=""),
        scores=PAIR.fault_scores,
    )
    assert export.against is not None
    won = replace(export.against.won, mean=1.0)
    for forged, complaint in (
        (changed(export, 2, seating=(0, 1)), "agents sat as (0, 1)"),
        (changed(export, 2, record=export.results[1].record), "the deal is not"),
        (replace(export, against=replace(export.against, won=won)), "what was won of whom"),
        (changed(export, 0, record=faulted), "a fault of the opponent's"),
    ):
        found = " ".join(finding.text for finding in verify_export(forged).findings)
        assert complaint in found
