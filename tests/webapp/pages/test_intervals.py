"""Scales, bars, histories and versions: what is drawn, and where."""

import re

import pytest

from tests.support.every import every
from webapp.pages.intervals import Interval, IntervalLine, Scale, axis, history, lines_on, row
from webapp.pages.team_icons import disc_of, house_disc
from webapp.pages.tournaments.views import BLOCKS, blocks
from webapp.pages.versions import versions_chart


def spread(*means: float) -> list[Interval]:
    return [Interval(mean, mean - 0.1, mean + 0.1) for mean in means]


@pytest.mark.parametrize("means", [(15.0,), (0.0, 25.0), (20.18, 20.62), (-3.0, 180.0)])
def test_a_scale_holds_every_interval_and_has_a_dozen_ticks_at_most(
    means: tuple[float, ...],
) -> None:
    scale = Scale.of(spread(*means))
    assert all(scale.holds(end) for each in spread(*means) for end in each.ends)
    assert 2 <= len(scale.ticks) <= 13
    assert (scale.ticks[0][0], scale.ticks[-1][0]) == pytest.approx((0.0, 100.0))


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (Scale(12.6, 13.2, 0.2), ["12.6", "12.8", "13.0", "13.2"]),
        (Scale(-1, 1, 0.5), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]),
        (Scale(8, 10, 1), ["8", "9", "10"]),
    ],
)
def test_the_ticks_of_a_scale_have_the_same_decimals(scale: Scale, words: list[str]) -> None:
    assert [text for _, text in scale.ticks] == words


@pytest.mark.parametrize(("lower_is_better", "off"), [(False, 3.0), (True, 40.0)])
def test_an_interval_far_behind_is_cut_at_the_losing_end_of_the_scale(
    *, lower_is_better: bool, off: float
) -> None:
    near = [20.0 + at / 5 for at in range(10)]
    scale = Scale.of(spread(*near, off), lower_is_better=lower_is_better)
    assert all(scale.holds(mean) for mean in near)
    assert not scale.holds(off)
    assert f"{off:.2f}" in row(scale, Interval(off))


def test_a_bar_is_as_wide_as_its_interval_on_the_scale() -> None:
    bar = row(Scale(10, 20, 1), Interval(15, 14, 16))
    assert 'x="40.00%" width="20.00%"' in bar
    assert 'x1="50.00%" x2="50.00%"' in bar


def test_provisional_lines_are_drawn_below() -> None:
    bar = row(Scale(10, 20, 1), Interval(15, 14, 16), provisional=Interval(16, 15, 17))
    tops = [int(top) for top in re.findall(r'<rect[^>]* y="(-?\d+)"', bar)]
    assert tops == sorted(tops)
    assert bar.count('class="reach so-far"') == 1


def test_names_of_lines_do_not_touch() -> None:
    lines = [IntervalLine("outer", 16.0), IntervalLine("iggi", 16.1), IntervalLine("piers", 19.0)]
    drawn = axis(Scale(10, 20, 1), lines)
    heights = re.findall(r'class="house-name[^"]*" x="[^"]*" y="(\d+)"', drawn)
    assert len(heights) == 3
    assert heights[0] != heights[1]
    assert heights[0] == heights[2]


def test_four_of_many_lines_are_drawn() -> None:
    lines = [IntervalLine(f"agent {at}", float(at)) for at in range(1, 30)]
    chosen = lines_on(Scale(0, 20, 2), lines)
    assert [line.mean for line in chosen] == [1.0, 7.0, 13.0, 20.0]


def test_a_history_says_its_means() -> None:
    assert 'aria-label="Practice means: 10.00, 12.50"' in history((10.0, 12.5), (10.0, 20.0))
    assert history((), (0.0, 1.0)) == ""


def test_versions_say_their_means_and_from_where_credit_is_full() -> None:
    chart = versions_chart(dict(enumerate(spread(9.5, 13.0, 18.43))), full_from=15.0)
    assert "9.50, 13.00, 18.43. Full credit from 15." in chart
    assert "18.43 ± 0.10" in chart
    assert versions_chart({}) == ""


def test_versions_stand_over_their_numbers() -> None:
    chart = versions_chart(dict(zip((3, 5, 9), spread(9.5, 13.0, 18.43), strict=True)))
    assert re.findall(r'class="number([^"]*)"[^>]*>(\d+)<', chart) == [
        ("", "3"),
        ("", "5"),
        (" newest", "9"),
    ]


@pytest.mark.parametrize(
    ("versions", "numbers"),
    [
        (spread(17.2, 18.67), ["15", "16", "17", "18", "19", "20"]),
        (spread(18.67), ["17.6", "18.2", "18.8", "19.4"]),
        (spread(-12.4, -13.1), ["−14.2", "−13.6", "−13.0", "−12.4"]),
    ],
)
def test_the_lines_of_versions_begin_beside_their_numbers(
    versions: list[Interval], numbers: list[str]
) -> None:
    """On the narrowest phone a picture is 254 px wide, and a digit 6.5 px."""
    chart = versions_chart(
        dict(enumerate(versions)), full_from=15.0 if numbers[0] == "15" else None
    )
    assert re.findall(r'class="tick" x="0"[^>]*>([^<]+)', chart) == numbers
    starts = {float(start) for start in re.findall(r'class="[^"]*" x1="([\d.]+)%"', chart)}
    assert min(starts) * 254 / 100 > 6.5 * max(map(len, numbers))


def test_nothing_is_drawn_with_inline_style() -> None:
    scale = Scale(10, 20, 1)
    band = Interval(15, 14, 16)
    parts = [
        axis(scale, [IntervalLine("x", 12)], band=band),
        row(scale, band),
        versions_chart({1: band}),
    ]
    assert not any("style=" in part for part in [*parts, history((1.0, 2.0), (1.0, 2.0))])


@every(
    ("alias", "colour", "shape"),
    [
        ("Amber Kestrel", "amber", "raptor"),
        ("Walnut Whimbrel 2", "walnut", "wader"),
        ("Teal Tern", "teal", "swallow"),
        ("Olive Owl", "olive", "owl"),
        ("Ash Wren", "ash", "songbird"),
        ("<b>", "none", "songbird"),
        ("", "none", "songbird"),
    ],
)
def test_the_picture_of_an_agent_follows_from_its_alias(
    alias: str, colour: str, shape: str
) -> None:
    assert f"disc-{colour}" in disc_of(alias)
    assert f"birds.svg#{shape}" in disc_of(alias)
    assert "<b>" not in disc_of(alias)


def test_the_picture_of_a_house_agent_is_a_house() -> None:
    assert "birds.svg#house" in house_disc()


@pytest.mark.parametrize(("done", "full"), [(0, 0), (1, 0), (500, 20), (1000, 40)])
def test_blocks_tell_how_far_it_is(done: int, full: int) -> None:
    found = blocks(done, 1000)
    assert len(found) == BLOCKS
    assert found.count("done") == full
    assert ("begun" in found) == (done == 1)
