"""Batches, consecutive faults, counted scores and grading schemes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.deals import deal_seed
from grader.core.errors import RecordError, SchemeError
from grader.core.records import AgentLimits, AgentRef, from_json, to_json
from grader.results.evaluation import (
    EvaluationSpec,
    batch_request,
    counted_scores,
    deals_between,
    game_setup,
    plan_batches,
    stop_index,
)
from grader.results.grading_scheme import (
    MAX_POINTS,
    Beaten,
    GradingScheme,
    Interpolation,
    Threshold,
)
from tests.support.every import every

SECRET = bytes(range(32))
SPEC = EvaluationSpec(
    game="hanabi",
    options={"variant": "standard", "players": 2},
    limits=AgentLimits(),
    seating=(0, 0),
    n_games=1000,
)


def batch_sizes(n: int, **plan: float | int | None) -> list[int]:
    return [len(batch) for batch in plan_batches(range(n), **plan)]  # type: ignore[arg-type]  # by keyword


# Batches


def test_a_request_carries_the_spec_and_the_deals_of_its_games() -> None:
    agent = AgentRef(interface="python", sha256="0" * 64)
    request = batch_request(
        SPEC, evaluation="e1", batch="b1", agents=[agent], secret=SECRET, indices=(3, 5)
    )
    assert [game.index for game in request.games] == [3, 5]
    assert request.games[1].deal_seed == deal_seed(SECRET, 5).hex()
    assert (request.seating, request.agents, request.check_first) == ((0, 0), (agent,), False)


AGAINST = EvaluationSpec(
    game="hearts",
    options={"variant": "standard", "players": 4},
    limits=AgentLimits(),
    seating=(0, 1, 1, 1),
    n_games=16,
    opponents=("careful", "guarded"),
)


def test_the_agent_plays_every_hand_of_a_deal_against_each_opponent() -> None:
    first, second = [[game_setup(AGAINST, index) for index in range(at, at + 8)] for at in (0, 8)]
    turns = [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    assert [each.seating for each in first] == [turn for turn in turns for _ in range(2)]
    assert [each.deal for each in first] == [0, 1] * 4
    assert [each.deal for each in second] == [each.deal for each in first]
    assert [each.seating for each in second[:2]] == [(0, 2, 2, 2)] * 2


def test_a_request_against_opponents_names_each_games_seating_and_whom_we_answer_for() -> None:
    agents = [AgentRef(interface="python", sha256=digit * 64) for digit in "012"]
    request = batch_request(
        AGAINST, evaluation="e1", batch="b1", agents=agents, secret=SECRET, indices=(0, 2, 10)
    )
    assert [game.seating for game in request.games] == [
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (2, 0, 2, 2),
    ]
    assert {game.deal_seed for game in request.games} == {deal_seed(SECRET, 0).hex()}
    assert request.ours == (1, 2)


@pytest.mark.parametrize("games", [15, 0, -8])
def test_rounds_against_opponents_are_whole(games: int) -> None:
    with pytest.raises(RecordError, match=f"{games} games do not divide into rounds of 8"):
        from_json(to_json(AGAINST).replace('"n_games":16', f'"n_games":{games}'), EvaluationSpec)


def test_a_spec_from_before_there_were_opponents_is_read_as_it_was_meant() -> None:
    text = to_json(SPEC).replace(',"opponents":[]', "")
    assert "opponents" not in text
    assert from_json(text, EvaluationSpec) == SPEC


@every(
    ("why", "n", "ms_per_game", "slots", "batches"),
    [
        ("about the target time", 1000, 150, 2, 10),
        ("short work is spread over all slots", 1000, 8, 2, 2),
        ("a multiple of the slots", 1000, 31, 2, 4),
        ("very short work", 10, 10, 4, 1),
        ("not shorter than the minimum", 100, 30, 16, 3),
        ("slow games", 3, 60_000, 2, 3),
        ("no games", 0, 5, 2, 0),
    ],
)
def test_work_is_cut_into_batches_of_some_time(
    why: str, n: int, ms_per_game: float, slots: int, batches: int
) -> None:
    assert len(batch_sizes(n, ms_per_game=ms_per_game, slots=slots)) == batches, why


def test_an_agent_of_unknown_speed_is_taken_for_slow() -> None:
    assert max(batch_sizes(1000, ms_per_game=None, slots=2)) <= 60


@given(st.sets(st.integers(0, 799)).map(sorted), st.floats(0, 500), st.integers(1, 8))
def test_no_batch_plays_a_deal_twice(indices: list[int], ms_per_game: float, slots: int) -> None:
    spec = replace(AGAINST, n_games=800)
    plan = plan_batches(
        indices, ms_per_game=ms_per_game, slots=slots, deals_between=deals_between(spec)
    )
    assert [index for batch in plan for index in batch] == indices
    for batch in plan:
        deals = [game_setup(spec, index).deal for index in batch]
        assert len(set(deals)) == len(deals)


@given(
    st.lists(st.integers(0, 10_000), unique=True, max_size=300).map(sorted),
    st.none() | st.floats(0, 5000),
    st.integers(1, 64),
)
def test_batches_hold_every_game_once_in_order(
    indices: Sequence[int], ms_per_game: float | None, slots: int
) -> None:
    batches = plan_batches(indices, ms_per_game=ms_per_game, slots=slots)
    assert [index for batch in batches for index in batch] == list(indices)
    sizes = [len(batch) for batch in batches]
    assert not sizes or max(sizes) - min(sizes) <= 1


# Consecutive faults


@every(
    ("faulted", "most", "stop"),
    [({2, 3, 4, 7, 8, 9}, 3, 4), ({0, 1, 3, 4, 6, 7}, 3, None), (set(range(10)), 0, None)],
)
def test_the_first_streak_of_faults_stops_the_evaluation(
    faulted: set[int], most: int, stop: int | None
) -> None:
    assert stop_index(faulted, n=10, max_consecutive_faults=most) == stop


@given(st.sets(st.integers(0, 29)), st.sets(st.integers(0, 29)), st.integers(1, 5))
def test_more_games_move_the_stop_only_forward(
    some: set[int], more: set[int], max_consecutive_faults: int
) -> None:
    early = stop_index(some, n=30, max_consecutive_faults=max_consecutive_faults)
    late = stop_index(some | more, n=30, max_consecutive_faults=max_consecutive_faults)
    assert early is None or (late is not None and late <= early)


def count(scores: Sequence[int | None], n: int) -> tuple[int, ...]:
    return counted_scores(dict(enumerate(scores)), n=n, max_consecutive_faults=2, fault_score=0)


@every(
    ("scores", "counted"),
    [
        ([7, None, 9], (7, 0, 9)),
        ([7, None, None, 9, 9], (7, 0, 0, 0, 0)),  # though played
        ([7, None, None], (7, 0, 0, 0, 0)),
    ],
)
def test_faulted_games_and_all_after_the_stop_count_the_fault_score(
    scores: list[int | None], counted: tuple[int, ...]
) -> None:
    assert count(scores, len(counted)) == counted


def test_a_missing_game_is_an_error() -> None:
    with pytest.raises(RecordError, match="2 of 5 games are missing, the first is 3"):
        count([7, 8, 9], 5)


@given(st.lists(st.none() | st.integers(0, 25), max_size=40), st.integers(1, 4), st.data())
def test_counted_scores_do_not_depend_on_what_was_played_after_the_stop(
    outcomes: list[int | None], limit: int, data: st.DataObject
) -> None:
    n = len(outcomes)
    played = dict(enumerate(outcomes))
    faulted = {index for index, score in played.items() if score is None}
    stop = stop_index(faulted, n=n, max_consecutive_faults=limit)
    spare = [] if stop is None else list(range(stop + 1, n))
    dropped = data.draw(st.sets(st.sampled_from(spare))) if spare else set()
    fewer = {index: score for index, score in played.items() if index not in dropped}

    def counted(scores: dict[int, int | None]) -> tuple[int, ...]:
        return counted_scores(scores, n=n, max_consecutive_faults=limit, fault_score=0)

    assert counted(played) == counted(fewer)


# Grading schemes

GCC = GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(1))


def scheme(
    *steps: tuple[str, str], interpolation: Interpolation = Interpolation.STEP
) -> GradingScheme:
    return GradingScheme(
        full_mean=Decimal(15),
        thresholds=tuple(Threshold(mean=Decimal(m), points=Decimal(p)) for m, p in steps),
        interpolation=interpolation,
    )


FEW = GradingScheme(
    full_mean=Decimal(10),
    full_points=Decimal(50),
    bonus_points=Decimal(5),
    max_bonus_points=Decimal(10),
    thresholds=(
        Threshold(mean=Decimal(30), points=Decimal(10)),
        Threshold(mean=Decimal(20), points=Decimal(30)),
    ),
    fewest_wins=True,
)
CAPPED = GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(2), max_bonus_points=Decimal(5))
STEPS = scheme(("5", "40"), ("10", "70"))
LINE = scheme(("5", "40"), ("10", "70"), interpolation=Interpolation.LINEAR)


@every(
    ("why", "scheme", "means", "points"),
    [
        (
            "full points of the mean",
            GCC,
            (14.999, 15.0, 15.999, 16.0, 25.0),
            (0, 100, 100, 101, 110),
        ),
        ("a limit of the bonus", CAPPED, (16, 17, 18, 25), (102, 104, 105, 105)),
        ("bounds of points", GCC, (1e6, 1e300, -1e300), (MAX_POINTS, MAX_POINTS, 0)),
        ("the threshold below", STEPS, (4.99, 5, 9.99, 10, 14.99), (0, 40, 40, 70, 70)),
        ("interpolation", LINE, (4.99, 5, 7.5, 10, 12.5), (0, 40, 55, 70, 85)),
        ("a decimal threshold", scheme(("14.9", "90")), (14900 / 1000,), (90,)),
        ("lower means", FEW, (31, 30, 20, 10.01, 10, 9, 0), (0, 10, 30, 30, 50, 55, 60)),
    ],
)
def test_a_mean_gives_its_points(
    why: str, scheme: GradingScheme, means: Sequence[float], points: Sequence[Decimal]
) -> None:
    assert [scheme.points(mean) for mean in means] == list(points), why


def test_points_are_rounded_to_hundredths_halves_up() -> None:
    line = scheme(("0", "0"), interpolation=Interpolation.LINEAR)
    assert line.points(Decimal("0.00075")) == Decimal("0.01")
    assert line.points(Decimal("0.00074")) == Decimal("0.00")


BEAT = GradingScheme(
    full_mean=None,
    beaten=(
        Beaten(opponent="careful", won=Decimal("0.5"), points=Decimal(40)),
        Beaten(opponent="guarded", won=Decimal("0.25"), points=Decimal(20)),
        Beaten(opponent="guarded", won=Decimal("0.5"), points=Decimal(40)),
    ),
)


def test_each_opponent_beaten_adds_its_points() -> None:
    assert BEAT.points(12.3, {"careful": 0.5001, "guarded": 0.4999}) == 60
    assert BEAT.points(12.3, {"careful": 0.49}) == 0
    assert BEAT.points(0, {"careful": 1, "guarded": 1}) == 100


def test_half_of_the_games_is_what_the_opponent_itself_wins() -> None:
    assert BEAT.points(0, {"careful": 0.5, "guarded": 0.25}) == 20


LIMITED = GradingScheme(
    full_mean=Decimal(15),
    bonus_points=Decimal("2.50"),
    max_bonus_points=Decimal(10),
    thresholds=(Threshold(mean=Decimal(0), points=Decimal(0)),),
    interpolation=Interpolation.LINEAR,
)


def test_a_scheme_describes_itself() -> None:
    assert GCC.describe() == (
        "100 points for a mean of at least 15, and 1 point more for every full point above it."
        " No points below a mean of 15."
    )
    assert LIMITED.describe() == (
        "100 points for a mean of at least 15, and 2.5 points more for every full point above it"
        " (at most 10 more). Below that: 0 from 0; proportionally in between."
    )
    assert FEW.describe() == (
        "50 points for a mean of at most 10, and 5 points more for every full point below it"
        " (at most 10 more). Above that: 30 to 20, 10 to 30. No points above a mean of 30."
    )
    assert BEAT.describe() == (
        "40 points for winning more than half of the games against each of careful, guarded."
        " 20 points for winning at least 25% of the games against guarded."
    )


@every(
    ("make", "complaint"),
    [
        (lambda: scheme(("10", "70"), ("5", "80")), "must rise"),
        (lambda: scheme(("15", "70")), "must rise"),
        (lambda: scheme(("5", "70"), ("10", "60")), "fewer than 70"),
        (lambda: scheme(("5", "120")), "fewer than 120"),
        (lambda: scheme(("5", "-1")), "less than 0"),
        (lambda: GradingScheme(full_mean=Decimal("NaN")), "finite"),
        (lambda: GradingScheme(full_mean=Decimal("1e999999")), "at most 30 digits"),
        (lambda: GradingScheme(full_mean=Decimal("1e-999999")), "at most 30 digits"),
        (lambda: GradingScheme(full_mean=None), "nothing is worth"),
        (lambda: replace(FEW, thresholds=FEW.thresholds[::-1]), "must fall"),
        (lambda: replace(BEAT, beaten=(replace(BEAT.beaten[0], won=Decimal(2)),)), "not a share"),
        (lambda: replace(BEAT, thresholds=FEW.thresholds), "without a mean"),
        (lambda: GradingScheme(full_mean=Decimal(1), bonus_points=Decimal(-1)), "bonus_points"),
    ],
)
def test_a_contradictory_scheme_is_refused(make: Callable[[], object], complaint: str) -> None:
    with pytest.raises(SchemeError, match=complaint):
        make()


def test_scheme_and_spec_survive_json_unless_they_contradict_themselves() -> None:
    steps = scheme(("5", "40"))
    assert from_json(to_json(steps), GradingScheme) == steps
    assert from_json(to_json(SPEC), EvaluationSpec) == SPEC
    text = to_json(scheme(("5", "40"))).replace('"mean":"5"', '"mean":"50"')
    with pytest.raises(RecordError, match="must rise"):
        from_json(text, GradingScheme)
