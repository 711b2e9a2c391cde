"""Charts of an agent's figures: what is drawn where, and what each says in words."""

import re
from decimal import Decimal

import pytest

from grader.results.grading_scheme import GradingScheme, Threshold
from grader.results.insights import Span, TurnTime
from webapp.pages.figures.axis import around
from webapp.pages.figures.places import places_chart
from webapp.pages.figures.scale import points_scale
from webapp.pages.figures.spread import spread_chart, spread_of
from webapp.pages.figures.strip import Cell, sparkline, strip_of
from webapp.pages.figures.times import times_chart
from webapp.pages.intervals import Interval, IntervalLine

SCHEME = GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(1))
OWN = Interval(17.95, 17.81, 18.09)


@pytest.mark.parametrize(
    ("values", "low", "high", "step"),
    [((17.8, 18.1), 16, 20, 1), ((3.0, 24.0), 2, 26, 5), ((0.1,), 0, 2, 1)],
)
def test_an_axis_holds_its_values_within_the_scores(
    values: tuple[float, ...], low: int, high: int, step: int
) -> None:
    axis = around(values, least=0, most=25)
    assert axis.low <= min(values) <= max(values) <= axis.high
    assert (axis.low, axis.step) == (low - low % step, step)
    assert axis.high >= high - 1


def test_an_axis_keeps_what_is_beyond_it_at_its_end() -> None:
    axis = around([10, 12], least=0, most=25)
    assert (axis.at(-5), axis.at(99)) == ("0.00%", "100.00%")


def test_the_scale_says_what_the_mean_is_worth() -> None:
    before = ("submission 6", Interval(17.3, 17.1, 17.5))
    house = [IntervalLine("outer", 16.0), IntervalLine("far", 3.0)]
    chart = points_scale(OWN, scheme=SCHEME, score_range=(0, 25), before=before, house=house)
    assert 'aria-label="Mean 17.95, 95% interval 17.81 to 18.09; worth 102 points;' in chart
    assert '<text class="worth own"' in chart
    assert ">102 points<" in chart
    assert ">outer<" in chart
    assert ">far<" not in chart
    chart = points_scale(Interval(11, 9, 16), scheme=SCHEME, score_range=(0, 25))
    assert chart.count(">0 points<") == 1
    assert chart.count(">0<") == 0
    assert "worth" not in points_scale(OWN, scheme=None, score_range=(0, 25))


def test_a_dashed_bar_leads_to_the_mean_without_faults() -> None:
    own = Interval(14.05, 13.6, 14.5)
    chart = points_scale(own, scheme=SCHEME, score_range=(0, 25), clean=17.29)
    assert "; without the faults: 17.29" in chart
    assert '<rect class="clean"' in chart
    assert ">18<" in chart
    assert "clean" not in points_scale(own, scheme=SCHEME, score_range=(0, 25))


def test_the_own_block_has_the_points_of_the_mean_not_of_its_middle() -> None:
    scheme = GradingScheme(
        full_mean=Decimal("17.4"),
        full_points=Decimal(100),
        thresholds=(Threshold(mean=Decimal(15), points=Decimal(80)),),
    )
    chart = points_scale(Interval(17.2, 17.0, 17.4), scheme=scheme, score_range=(0, 25))
    assert re.findall(r'class="worth own"[^>]*>([^<]*)<', chart) == ["80 points"]


def test_every_game_has_a_square_and_faults_stand_first() -> None:
    cells = [Cell(index, index % 3, index == 3) for index in range(9)]
    strip = strip_of(cells, (0, 25), opens=True)
    squares = sum(len(re.findall(r"M", path)) for path in re.findall(r' d="([^"]*)"', strip.wide))
    assert squares == 9
    assert [choice.games for choice in strip.choices] == ["3,0,6", "1,4,7", "2,5,8"]
    assert strip.title == "The first 9 games"
    assert strip.sentence == "Games by score. 0: 3, 1: 3, 2: 3; 1 game ended with a fault."
    strip = strip_of([Cell(0, 3, False), Cell(1, 99, False)], (0, 130), opens=True)
    assert len(strip.columns) <= 26
    assert [choice.value for choice in strip.choices] == ["0..9", "90..99"]


def test_no_games_are_an_axis_without_columns() -> None:
    strip = strip_of([], (0, 25), opens=True)
    assert len(strip.columns) == 26
    assert 'class="axis"' in strip.wide
    assert "No games yet." in sparkline([], (0, 25))


def test_a_thousand_games_stay_within_their_room() -> None:
    strip = strip_of([Cell(index, 18, False) for index in range(1000)], (0, 25), opens=True)
    match = re.search(r'viewBox="0 0 680 ([\d.]+)"', strip.wide)
    assert match is not None
    assert float(match[1]) < 220
    assert len(strip.wide) < 40_000


def test_on_a_phone_no_count_lies_over_a_taller_column() -> None:
    scores = [15] * 9 + [16] * 12 + [17] * 30 + [18] * 25
    strip = strip_of(
        (Cell(index, score, False) for index, score in enumerate(scores)), (0, 25), opens=True
    )
    wide, narrow = (
        re.findall(r'class="count"[^>]*>(\d*)<', drawn) for drawn in (strip.wide, strip.narrow)
    )
    assert wide == ["9", "12", "30", "25"]
    assert narrow == ["9", "", "30", ""]


def test_spreads_times_and_places_say_where_most_goes() -> None:
    own = spread_of([[10, 50], [20, 50]], name="submission 2", kind="own")  # type: ignore[list-item]
    assert own.at == (10, 10, 20, 20, 20)
    words = "submission 2: median 20, half of the games from 10 to 20."
    assert words in spread_chart([own], (0, 25))
    times = [
        TurnTime(first=0, last=4, median_us=90.0, slowest_us=400),
        TurnTime(first=5, last=9, median_us=120.0, slowest_us=8300),
    ]
    assert "The slowest turn took 8.3 ms, in turns 5 to 9." in times_chart(times, limit_us=1e6)
    places = [Span(first=0, last=4, points=0.2), Span(first=5, last=9, points=1.25)]
    words = "Most points are lost in turns 5 to 9: 1.25 a game."
    assert words in places_chart(places, unit="turn")
