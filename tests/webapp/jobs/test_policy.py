"""The order of waiting batches: nobody starves, short work is short, practice goes on."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.queue_model import Fleet, Simulation, Work
from webapp.grading.jobs.policy import (
    LEAST_AHEAD,
    CourseBacklog,
    Key,
    choose,
    idle_slots,
    room,
    turns,
)
from webapp.grading.jobs.queues import Queue

DAY = 24 * 3600.0


def graded(course: int, waiting: int = 10, **values: float) -> CourseBacklog:
    return CourseBacklog(queue=Queue.GRADED, course=course, waiting=waiting, **values)  # type: ignore[arg-type]  # numbers


def courses(chosen: Iterable[Key]) -> list[int | None]:
    return [course for _, course in chosen]


@pytest.mark.parametrize(
    ("lines", "chosen"),
    [
        ([graded(1, waiting=6000), graded(2), graded(3)], [1, 2, 3, 1, 2, 3]),
        ([graded(1, waiting=6000, in_flight=20), graded(2)], [2, 2, 2]),
        ([graded(course, served_at=float(course != 7)) for course in range(9)], [7]),
    ],
    ids=["by turns", "nothing in flight before much", "served least recently"],
)
def test_the_course_that_has_least_is_next(lines: list[CourseBacklog], chosen: list[int]) -> None:
    assert courses(choose(lines, len(chosen))) == chosen


def test_no_more_is_chosen_than_waits() -> None:
    assert courses(choose([graded(1, waiting=1), graded(2, waiting=0)], 5)) == [1]


@given(st.integers(1, 400), st.integers(1, 60))
def test_practice_keeps_a_fifth_of_what_is_in_flight(in_flight: int, count: int) -> None:
    practice = CourseBacklog(queue=Queue.PRACTICE, course=1, waiting=100)
    line = graded(1, waiting=6000, in_flight=in_flight)
    chosen = Counter(queue for queue, _ in choose([line, practice], count))
    share = chosen[Queue.PRACTICE] / (in_flight + count)
    assert share <= 0.2 + 1 / (in_flight + count)
    if count >= in_flight:
        assert share >= 0.2 - 1 / (in_flight + count)


def test_graded_games_go_first_and_practice_takes_what_they_leave() -> None:
    practice = CourseBacklog(queue=Queue.PRACTICE, course=1, waiting=9)
    queues = [queue for queue, _ in choose([practice, graded(1, waiting=2)], 5)]
    assert queues[0] == Queue.GRADED
    assert Counter(queues) == {Queue.GRADED: 2, Queue.PRACTICE: 3}


def test_a_short_evaluation_is_not_torn_apart() -> None:
    assert turns([15.0] * 4, asked_at=100.0) == [100.0] * 4


def test_an_agent_that_computes_for_hours_lets_those_pass_that_came_later() -> None:
    slow = turns([15.0] * 1000, asked_at=0.0)
    (later,) = turns([15.0], asked_at=600.0)
    assert sum(turn < later for turn in slow) == 40, "as many as one core plays until then"


def test_the_second_evaluation_of_a_team_follows_its_first() -> None:
    assert turns([15.0], asked_at=10.0, after=75.0) == [75.0]
    assert turns([15.0], asked_at=100.0, after=75.0) == [100.0]


@pytest.mark.parametrize(
    ("left", "start"), [(600.0, 600.0), (DAY / 2, 120.0), (2 * DAY, 0.0), (-5.0, 0.0)]
)
def test_a_deadline_that_is_near_moves_a_turn_forward_by_minutes(left: float, start: float) -> None:
    assert turns([1.0], asked_at=0.0, due_at=left) == [-start]


def test_the_broker_holds_some_seconds_of_work() -> None:
    lines = [graded(1, waiting=6000, seconds=15.0)]
    assert room(lines, slots=200, held=0) == 54
    assert room(lines, slots=200, held=50) == 4
    assert room(lines, slots=200, held=60) == 0
    assert room(lines, slots=1, held=0) == LEAST_AHEAD
    assert room([graded(1, waiting=1)], slots=200, held=0) == 1
    assert room([graded(1, waiting=6000, seconds=0.0)], slots=2, held=0) == 6


def test_work_is_spread_over_idle_slots_only() -> None:
    assert idle_slots(slots=200, busy=0) == 200
    assert idle_slots(slots=200, busy=190) == 10
    assert idle_slots(slots=200, busy=6000) == 1


def work(
    team: int,
    *,
    asked_at: float = 0.0,
    seconds: float = 60.0,
    queue: Queue = Queue.GRADED,
    course: int = 0,
) -> Work:
    pace = seconds * 1000 / 100
    return Work(
        queue=queue,
        course=course,
        team=team,
        asked_at=asked_at,
        n_games=100,
        ms_per_game=pace,
        known_ms=pace,
    )


def waits(night: Simulation, course: int) -> list[float]:
    return [
        run.first_at - run.asked_at
        for run in night.runs
        if run.work.course == course and run.first_at is not None
    ]


FLEET = Fleet(games=9, smoke=1)


def test_another_courses_games_begin_at_once_behind_a_backlog() -> None:
    backlog = [work(team) for team in range(100)]
    other = [work(1000 + k, course=1, asked_at=60.0 * k) for k in range(1, 10)]
    night = Simulation(FLEET).play([*backlog, *other])
    assert max(waits(night, course=1)) < 18, "one batch of the other course"
    before = Simulation(FLEET, fair=False).play([*backlog, *other])
    assert max(waits(before, course=1)) > 300


def test_a_slow_agent_starves_nobody_of_its_course_and_is_not_starved() -> None:
    slow = [work(team, seconds=4000.0) for team in range(3)]
    quick = [work(100 + k, asked_at=30.0 + 10 * k, seconds=30.0) for k in range(60)]
    night = Simulation(FLEET).play([*slow, *quick])
    took = [run.finished_at - run.asked_at for run in night.runs[3:] if run.finished_at is not None]
    assert max(took) < 120
    ends = [run.finished_at for run in night.runs[:3]]
    assert max(end for end in ends if end is not None) < 1.2 * (3 * 4000 + 60 * 30) / FLEET.games


def test_practice_continues_beside_a_night_of_graded_games() -> None:
    graded_games = [work(team) for team in range(100)]
    practice = [work(500 + k, queue=Queue.PRACTICE, asked_at=20.0 * k) for k in range(20)]
    night = Simulation(FLEET).play([*graded_games, *practice], until=400)
    done = Counter(run.work.queue for run in night.runs if run.finished_at is not None)
    assert done[Queue.PRACTICE] >= 8
    assert done[Queue.GRADED] > 2 * done[Queue.PRACTICE]


def test_first_tests_are_played_at_once_whatever_waits() -> None:
    backlog = [work(team) for team in range(100)]
    uploads = [work(500 + k, queue=Queue.SMOKE, seconds=2.0, asked_at=0.5 * k) for k in range(300)]
    night = Simulation(FLEET).play([*backlog, *uploads], until=200)
    took = [
        run.finished_at - run.asked_at
        for run in night.runs
        if run.work.queue == Queue.SMOKE and run.finished_at is not None
    ]
    assert len(took) == 300
    assert max(took) < 25


def test_too_few_results_workers_delay_reports_and_releases() -> None:
    works = [work(team, seconds=100.0) for team in range(40)]
    fleet = Fleet(games=900, smoke=1)
    few, enough = (Simulation(fleet, processes=number).play(works) for number in (1, 4))
    assert few.site.longest_wait > 3 * enough.site.longest_wait
    ends = [max(run.finished_at or DAY for run in night.runs) for night in (few, enough)]
    assert ends[0] > ends[1]
    assert few.site.busy_seconds <= few.now


def test_however_many_reports_come_there_are_four_releases_a_second() -> None:
    works = [work(team, asked_at=team / 50, seconds=3.0) for team in range(2000)]
    night = Simulation(Fleet(games=200, smoke=1), processes=8).play(works)
    ends = [run.finished_at for run in night.runs if run.finished_at is not None]
    assert len(ends) == 2000
    assert night.site.releases <= 4 * max(ends)
