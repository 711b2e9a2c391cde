"""House agents' means, for whoever decides which mean earns full points."""

from grader import house
from grader.house.measured import ladder
from tests.webapp.conftest import NOW
from tests.webapp.fakes import play
from webapp.accounts.models import User
from webapp.courses.models import Assignment
from webapp.courses.references import measured, measured_means
from webapp.evaluations.models import Evaluation, Kind
from webapp.evaluations.selectors import references_of
from webapp.evaluations.services import request_house


def test_the_means_are_those_that_were_measured() -> None:
    table = measured_means("hanabi")
    assert table is not None
    ours = {
        (name, seats): mean
        for name, means in table.rows.items()
        for seats, mean in zip(table.seats, means, strict=True)
    }
    rungs = ladder().of("standard")
    assert ours == {(rung.agent, rung.players): rung.games.mean for rung in rungs}
    assert list(table.rows) == list(house.NAMES)
    assert table.games == rungs[0].games.n


def test_a_number_of_seats_that_was_not_measured_has_no_means() -> None:
    assert len(measured("hanabi", 3)) == len(house.NAMES)
    assert measured("hanabi", 6) == ()


def test_a_game_played_against_others_has_no_means_with_copies() -> None:
    assert measured("hearts", 4) == ()
    assert measured_means("hearts") is None


def test_on_an_assignments_own_deals_finished_house_agents_are_told_weakest_first(
    assignment: Assignment, ida: User, graded: Evaluation
) -> None:
    play(graded)
    for run in request_house(assignment=assignment, by=ida, names=["piers", "outer"], at=NOW):
        play(run)
    request_house(assignment=assignment, by=ida, names=["iggi"], at=NOW)
    practice = request_house(
        assignment=assignment, by=ida, names=["iggi"], kind=Kind.PRACTICE, at=NOW
    )
    play(practice[0])
    assert [(each.name, each.mean) for each in references_of(assignment)] == [
        ("outer", 16.0),
        ("piers", 16.0),
    ]
