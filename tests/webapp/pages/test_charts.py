"""Charts: readable without colour, script or style attribute."""

from xml.etree import ElementTree as ET

from webapp.pages.charts import bars_of, histogram, sparkline

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))  # noqa: S314 - ours


def test_the_title_tells_the_distribution() -> None:
    svg = parsed(histogram(bars_of([(0, 2), (17, 5), (20, 3)], (0, 25), 16.1), name="h"))
    title = svg.find(f"{SVG}title")
    assert title is not None
    assert title.text == ("Scores of 10 games: from 0 to 20, most often 17 (5 games); 2 scored 0.")
    assert svg.get("aria-labelledby") == title.get("id")


def test_every_score_has_a_bar_with_its_count() -> None:
    svg = parsed(histogram(bars_of([(0, 2), (17, 5)], (0, 25)), name="h"))
    titles = [rect.findtext(f"{SVG}title") for rect in svg.iter(f"{SVG}rect")]
    assert titles == ["0: 2 games", "17: 5 games"]


def test_a_count_is_left_out_where_it_would_lie_over_a_taller_bar() -> None:
    svg = parsed(histogram(bars_of([(3, 7), (18, 3), (19, 4), (20, 3)], (0, 25)), name="h"))
    assert [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "count"] == [
        "7",
        "4",
    ]


def test_a_single_game_is_named_in_the_singular() -> None:
    svg = parsed(histogram(bars_of([(17, 1)], (0, 25)), name="h"))
    assert "Scores of 1 game: from 17 to 17, most often 17 (1 game)." in "".join(svg.itertext())
    assert [rect.findtext(f"{SVG}title") for rect in svg.iter(f"{SVG}rect")] == ["17: 1 game"]


def test_lost_games_stand_apart_by_shape() -> None:
    svg = parsed(histogram(bars_of([(0, 2), (17, 5)], (0, 25)), name="h"))
    assert [rect.get("class") for rect in svg.iter(f"{SVG}rect")] == ["bar zero", "bar"]


def test_bars_are_as_high_as_their_counts() -> None:
    svg = parsed(histogram(bars_of([(10, 50), (17, 100)], (0, 25)), name="h"))
    low, high = (float(rect.get("height", "0")) for rect in svg.iter(f"{SVG}rect"))
    assert abs(high - 2 * low) < 0.2


def test_the_strict_policy_has_nothing_to_refuse() -> None:
    for svg in (
        histogram(bars_of([(3, 1)], (0, 25), 3.0), name="h"),
        sparkline(bars_of([(3, 1)], (0, 25))),
    ):
        assert "style=" not in svg
        assert "<script" not in svg


def test_without_games_the_chart_says_so() -> None:
    assert "No games yet." in sparkline(bars_of([], (0, 25)))


def test_a_wide_range_of_scores_has_bars_for_several() -> None:
    svg = parsed(histogram(bars_of([(3, 2), (4, 1), (101, 1)], (0, 203), 28.0, None), name="h"))
    titles = [rect.findtext(f"{SVG}title") for rect in svg.iter(f"{SVG}rect")]
    assert titles == ["0–4: 3 games", "100–104: 1 game"]
    ticks = [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "tick"]
    assert ticks == [str(score) for score in range(0, 204, 20)]


def test_the_mean_is_marked_where_its_score_would_be() -> None:
    svg = parsed(histogram(bars_of([(0, 1), (9, 1)], (0, 9), 4.5), name="h"))
    assert [mark.get("x") for mark in svg.iter(f"{SVG}svg") if mark is not svg] == ["50.00%"]


def test_a_score_of_0_is_ordinary_where_no_game_is_lost() -> None:
    svg = parsed(histogram(bars_of([(0, 2), (17, 5)], (0, 26), None, None), name="h"))
    assert [rect.get("class") for rect in svg.iter(f"{SVG}rect")] == ["bar", "bar"]
    assert "scored 0" not in "".join(svg.itertext())
