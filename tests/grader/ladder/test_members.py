"""Membership of a ladder."""

from grader.ladder import Version, faults_too_often, staying


def test_the_latest_versions_of_each_team_stay() -> None:
    versions = [Version(team=team, number=number) for team in (1, 2) for number in range(1, 5)]
    assert staying(versions, limit=2) == {(1, 4), (1, 3), (2, 4), (2, 3)}


def test_an_agent_that_left_has_no_place() -> None:
    versions = [
        Version(team=1, number=1),
        Version(team=1, number=2),
        Version(team=1, number=3, is_out=True),
    ]
    assert staying(versions, limit=1) == {(1, 2)}


def test_an_agent_that_keeps_failing_leaves_and_one_that_fails_now_and_then_stays() -> None:
    assert faults_too_often([True] * 5)
    assert faults_too_often([True, False, False, False] * 5)
    assert not faults_too_often([True] * 4)
    assert not faults_too_often([True, False, False, False, False] * 4)
    assert not faults_too_often([False] * 20 + [True] * 20)
