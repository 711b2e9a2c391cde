"""House agents' means, as a reference for the mean that earns full points."""

from grader import house
from grader.house.measured import ladder
from webapp.teaching.courses.references import measured, measured_means


def test_the_means_are_those_that_were_measured() -> None:
    table = measured_means("hanabi")
    assert table is not None
    ours = {
        (name, seats): mean
        for name, means in table.rows.items()
        for seats, mean in zip(table.seats, means, strict=True)
    }
    rungs = ladder("hanabi").of("standard")
    assert ours == {(rung.agent, rung.players): rung.games.mean for rung in rungs}
    assert list(table.rows) == list(house.family("hanabi").names)
    assert table.games == rungs[0].games.n


def test_a_number_of_seats_that_was_not_measured_has_no_means() -> None:
    assert len(measured("hanabi", 3)) == len(house.family("hanabi").names)
    assert measured("hanabi", 6) == ()


def test_a_game_played_against_others_has_no_means_with_copies() -> None:
    assert measured("hearts", 4) == ()
    assert measured_means("hearts") is None
