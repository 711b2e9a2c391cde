"""Standings: means as courses rank, adjusted means beside the truth, the table of pairs."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from grader.results.ratings.elo import elo_ratings
from grader.tournament import (
    Ledger,
    ParticipantRole,
    PlayedTable,
    Policy,
    Standing,
    Standings,
    TournamentSpec,
    WantedGame,
    cross_play,
    plan_tournament,
    rules_of,
    standings,
)
from grader.tournament.figures import mean_over_rounds
from tests.bench.tournaments import Outcome, play
from tests.grader.tournament.made import SECRET, clean, participants, spec, spoiled
from tests.support.depth import deeper

Play = Callable[[WantedGame], PlayedTable]


def finished(settings: TournamentSpec, play: Play, *, players: int, fillers: int = 0) -> Ledger:
    plan = plan_tournament(settings, players=players, fillers=fillers, secret=SECRET)
    course = Ledger(plan, settings.policy, secret=SECRET)
    while not course.finished:
        course.add(*map(play, course.wanted))
    return course


def table(
    settings: TournamentSpec, play: Play, *, players: int, fillers: int = 0
) -> Mapping[int, Standing]:
    course = finished(settings, play, players=players, fillers=fillers)
    found = standings(course, participants(players, fillers), rules_of(settings))
    return {row.participant: row for row in found.rows}


def by_strength(game: WantedGame) -> PlayedTable:
    """Everybody adds its number, so that higher numbers are better."""
    return clean(game, sum(game.seating))


def failing(culprit: int, *games: int) -> Play:
    def play(game: WantedGame) -> PlayedTable:
        if culprit in game.seating and (not games or game.index in games):
            return spoiled(game, culprit)
        return clean(game, 10)

    return play


def test_the_mean_is_that_of_the_scores_of_ones_tables() -> None:
    settings = spec(rounds=6, games_per_table=2)
    course = finished(settings, by_strength, players=10)
    own = [game.scores[0] for game in course.counted if 3 in game.seating]
    row = table(settings, by_strength, players=10)[3]
    assert row.mean is not None
    assert (row.games, row.tables) == (12, 6)
    assert row.mean.value == pytest.approx(np.mean(own))


def test_the_adjusted_mean_of_additive_agents_is_exact() -> None:
    """With everybody else as partners: b + u + 4 times the mean of the others."""
    rows = table(spec(rounds=30), by_strength, players=10)
    for number, row in rows.items():
        others = (45 - number) / 9
        assert row.adjusted is not None
        assert row.adjusted.value == pytest.approx(number + 4 * others, abs=0.01)
        assert row.adjusted_rank == 10 - number


def test_rows_come_in_the_order_of_means_and_places_say_so() -> None:
    rows = [*table(spec(rounds=30), by_strength, players=10).values()]
    means = [row.mean.value for row in rows if row.mean is not None]
    assert means == sorted(means, reverse=True)
    assert [row.place for row in rows] == [1 + sum(x > mean for x in means) for mean in means]
    assert [row.rank for row in rows] == sorted(row.rank or 0 for row in rows)


def test_a_spoiled_game_counts_as_faulted_for_its_culprit_alone() -> None:
    rows = table(spec(rounds=4), failing(3, 0, 1), players=10, fillers=1)
    course = finished(spec(rounds=4), failing(3, 0, 1), players=10, fillers=1)
    (charge,) = course.charges
    assert charge.participant == 3
    for number in range(10):
        mean = rows[number].mean
        assert mean is not None
        assert rows[number].games == 4
        assert mean.value == (7.5 if number == 3 else 10)
        assert rows[number].faults == (number == 3)
    adjusted = rows[3].adjusted
    assert adjusted is not None
    assert adjusted.value == pytest.approx(7.5)


def test_a_removed_agent_has_neither_place_nor_rank_and_its_substitutes_no_more_games() -> None:
    rows = table(spec(rounds=6), failing(3), players=10, fillers=1)
    assert (rows[3].place, rows[3].rank, rows[3].adjusted_rank) == (None, None, None)
    removal = rows[3].removal
    assert removal is not None
    assert removal.faults >= 3
    rows = table(spec(rounds=6), failing(3), players=10)
    assert all(rows[number].games == 6 for number in range(10) if number != 3)


def test_an_agent_that_spoiled_all_of_its_games_is_last() -> None:
    """The others' means as played are too uncertain to be clearly better than nothing."""
    settings = spec(sizes=(2,), rounds=2, policy=Policy(faults_to_removal=0))

    def play(game: WantedGame) -> PlayedTable:
        return spoiled(game, 0) if 0 in game.seating else by_strength(game)

    course = finished(settings, play, players=20)
    found = standings(course, participants(20), rules_of(settings))
    row = found.rows[-1]
    assert (row.participant, row.adjusted_rank) == (0, None)
    assert row.rank is not None
    others = [rank for number, rank in found.ranking.items() if number]
    assert row.rank < max(others) < found.ranking[0] == 20


def test_the_ranking_is_by_adjusted_means_and_by_means_before_there_are_any() -> None:
    settings = spec(rounds=30)
    found = standings(
        finished(settings, by_strength, players=10), participants(10), rules_of(settings)
    )
    assert found.ranking == {number: 10 - number for number in range(10)}
    early = replace(found, rows=tuple(replace(row, adjusted_rank=None) for row in found.rows))
    assert early.ranking == {row.participant: row.rank for row in found.rows}


def test_references_and_fillers_have_figures_but_no_rank() -> None:
    settings = spec(rounds=12)
    course = finished(settings, by_strength, players=10)
    cast = participants(10)
    cast[9] = replace(cast[9], role=ParticipantRole.REFERENCE)
    rows = standings(course, cast, rules_of(settings)).rows
    assert rows[-1].participant == 9
    assert rows[-1].mean is not None
    assert (rows[0].participant, rows[0].place) == (8, 1)
    rows = table(spec(rounds=12), by_strength, players=9, fillers=1)
    assert rows[9].adjusted is not None
    assert (rows[9].place, rows[9].rank, rows[9].adjusted_rank) == (None, None, None)


def test_self_play_stands_beside_cross_play() -> None:
    rows = table(spec(rounds=4, self_play_games=3), by_strength, players=10)
    alone = rows[2].self_play
    assert alone is not None
    assert (alone.n, alone.mean) == (3, 10)
    assert rows[2].games == 4


def test_before_any_game_there_are_rows_without_figures() -> None:
    settings = spec(rounds=2)
    plan = plan_tournament(settings, players=10, fillers=0, secret=SECRET)
    empty = Ledger(plan, settings.policy, secret=SECRET)
    found: Standings = standings(empty, participants(10), rules_of(settings))
    assert len(found.rows) == 10
    assert all(row.mean is row.adjusted is row.place is None for row in found.rows)
    assert found.luck is None


def test_games_of_one_round_are_one_observation_however_many_tables_one_sits_at() -> None:
    """All tables of a round play the same deals: here nothing but the deal decides."""

    def by_deal(game: WantedGame) -> PlayedTable:
        return clean(game, 10 + game.deal)

    rows = table(spec(sizes=(2,), rounds=6, duplicates=True), by_deal, players=8)
    expected = mean_over_rounds([[10 + number] for number in range(6)])
    assert {row.games for row in rows.values()} == {12}
    assert max(row.tables for row in rows.values()) > 6
    assert {row.mean for row in rows.values()} == {expected}


def test_the_adjusted_interval_knows_that_faults_come_by_chance() -> None:
    """But for its faults, which never remove it, everything always scores the same."""
    settings = spec(rounds=40, policy=Policy(faults_to_removal=0))
    row = table(settings, failing(3, *range(0, 80, 5)), players=10, fillers=1)[3]
    assert row.faults > 3
    assert row.mean is not None
    assert row.adjusted is not None
    assert row.adjusted.half_width == pytest.approx(row.mean.half_width, rel=0.02)


@pytest.mark.parametrize(("name", "size", "lost"), [("hanabi", 5, 4), ("hearts", 4, 0)])
def test_only_what_the_rules_call_lost_is_counted_as_lost(name: str, size: int, lost: int) -> None:
    rows = table(
        spec(game=name, sizes=(size,), rounds=4, self_play_games=1),
        lambda game: clean(game, 0),
        players=2 * size,
    )
    assert len(rows) == 2 * size
    for row in rows.values():
        assert row.lost == lost
        assert row.self_play is not None
        assert row.self_play.lost == min(lost, 1)


def hearts(game: WantedGame) -> PlayedTable:
    """Everybody takes as many points as its number says, beyond the table's."""
    return clean(game, *(20 + 2 * member for member in game.seating))


def test_the_lowest_mean_is_first_where_fewest_points_win() -> None:
    """Own scores are adjusted to the mean of all others: the difference at a table counts, which
    here is 2 points a number."""
    rows = table(spec(game="hearts", sizes=(4,), rounds=20), hearts, players=8)
    numbered = [rows[number] for number in range(8)]
    assert [row.place for row in numbered] == list(range(1, 9))
    assert [row.adjusted_rank for row in numbered] == list(range(1, 9))
    steps = np.diff([row.adjusted.value for row in numbered if row.adjusted is not None])
    scale = 1 - (8 - 4) / (4 * 7)
    assert steps == pytest.approx([2 * scale] * 7, abs=0.01)
    ratings = [row.elo or 0 for row in numbered]
    assert ratings == sorted(ratings, reverse=True)
    shared = table(spec(rounds=2), by_strength, players=10)
    assert shared[0].elo is None, "nobody has a score of its own"


def test_elo_takes_the_games_in_the_order_of_the_plan() -> None:
    settings = spec(game="hearts", sizes=(4,), rounds=6)
    course = finished(settings, hearts, players=8)
    games = [(game.seating, game.scores) for game in course.counted]
    rows = table(settings, hearts, players=8)
    ratings = {number: row.elo for number, row in rows.items()}
    assert ratings == elo_ratings(games, lower_is_better=True)
    assert ratings != elo_ratings(games[::-1], lower_is_better=True)


def test_the_table_of_pairs_has_means_and_self_play_on_its_diagonal() -> None:
    settings = spec(sizes=(2,), rounds=9, self_play_games=2)
    course = finished(settings, by_strength, players=10)
    pairs = cross_play(course.counted, 10, rules_of(settings))
    for a in range(10):
        for b in range(10):
            if pairs.games[a][b]:
                assert pairs.means[a][b] == (a + b)
            assert pairs.games[a][b] == pairs.games[b][a]
    assert pairs.games[4][4] == 4
    assert sum(map(sum, pairs.games)) == 2 * (9 * 5 + 2 * 10)


def averaged(outcomes: list[Outcome]) -> Outcome:
    return Outcome(
        *(
            float(np.mean([getattr(each, name) for each in outcomes]))
            for name in ("spearman", "kendall", "error", "covered")
        )
    )


WORLDS = deeper(4, deep=40)
"""Synthetic worlds in which intervals are counted: 40 of each kind a world."""
SLACK = deeper(0.03, deep=0.0)
"""How far the share of so many intervals may stray beyond what deep runs allow."""
LARGE = deeper((1, 80, 12, 5), deep=(4, 100, 25, 10))
"""Worlds, agents, rounds and games of which orders are compared."""


def simulated(repetitions: int, *sizes: int, **world: object) -> tuple[Outcome, Outcome]:
    """Mean and adjusted mean, averaged over synthetic worlds of known strengths."""
    found = [play(*sizes, seed=seed, **world) for seed in range(repetitions)]  # type: ignore[arg-type]
    return averaged([each[0] for each in found]), averaged([each[1] for each in found])


@pytest.mark.slow
@pytest.mark.parametrize("groups", ["random", "balanced"])
def test_the_adjusted_order_is_nearer_to_the_truth_at_the_same_number_of_games(
    groups: str,
) -> None:
    mean, adjusted = simulated(*LARGE, groups=groups)
    assert adjusted.spearman > mean.spearman + 0.015
    assert adjusted.kendall > mean.kendall + 0.04
    assert adjusted.error < 0.65 * mean.error


@pytest.mark.slow
def test_balance_alone_brings_means_nearer_to_the_truth() -> None:
    chance, _ = simulated(*LARGE, groups="random")
    design, _ = simulated(*LARGE)
    assert design.spearman > chance.spearman
    assert design.error < 0.8 * chance.error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "means", "most"),
    [
        ({"groups": "random"}, (0.925 - SLACK, 0.97 + SLACK), 0.97),
        # Partners are less random than the mean's interval takes them to be.
        ({"pair": 0.0}, (0.97, 1.0), 0.97),
        ({"shared_score": False, "groups": "random"}, (0.0, 1.0), 0.97),
        ({"strikers": 6, "groups": "random"}, (0.0, 1.0), 0.98),
    ],
    ids=["random partners", "additive agents", "own scores", "losing half of the games"],
)
def test_intervals_cover_the_truth_as_often_as_they_say(
    world: Mapping[str, object], means: tuple[float, float], most: float
) -> None:
    """The standard error of 40 worlds' 1,600 intervals is 0.6%."""
    mean, adjusted = simulated(WORLDS, 40, 25, 4, **world)
    assert means[0] <= mean.covered <= means[1]
    assert 0.93 - SLACK <= adjusted.covered <= most + SLACK
    if "strikers" in world:
        assert adjusted.spearman > mean.spearman
