"""The nights that are simulated: who asks for what, and when."""

import random
from collections.abc import Iterator
from typing import Final

from tests.bench.queue_model import Work
from webapp.grading.jobs.queues import Queue

HOUR: Final = 3600.0
_PACES: Final = ((0.88, 20.0, 60.0), (0.10, 100.0, 300.0), (0.02, 1000.0, 4000.0))
"""Agents by the milliseconds that a game takes of a core: their share, and from and to which. The
first are measured: agents of students that follow rules; the last search for seconds."""
_COMPILING: Final = (0.0, 1.2, 1.9, 2.7)
"""Seconds in which the interfaces compile: Python, C++, Java, Haskell."""


def uploads(count: int, *, teams: int = 1000, seed: int = 1) -> Iterator[Work]:
    """Uploads in the hour before a deadline, twice as many a minute at its end as on average.

    Each is tested with ten games and then practises with a hundred. One in five teams is of a
    second course, with the same deadline.
    """
    dice = random.Random(seed)  # noqa: S311 - a simulation
    paces = [_pace(dice) for _ in range(teams)]
    compiling = [dice.choice(_COMPILING) for _ in range(teams)]
    moments = sorted(HOUR * dice.random() ** 0.5 for _ in range(count))  # rises from nothing
    for moment in moments:
        team = dice.randrange(teams)
        practice = Work(
            queue=Queue.PRACTICE,
            course=int(team % 5 == 0),
            team=team,
            asked_at=moment,
            due_at=HOUR,
            n_games=100,
            ms_per_game=paces[team],
            known_ms=paces[team],
        )
        yield Work(
            queue=Queue.SMOKE,
            course=practice.course,
            team=team,
            asked_at=moment,
            due_at=HOUR,
            n_games=10,
            ms_per_game=paces[team],
            compile_seconds=compiling[team],
            then=practice,
        )


def _pace(dice: random.Random) -> float:
    draw = dice.random()
    for share, low, high in _PACES:
        if draw < share:
            return dice.uniform(low, high)
        draw -= share
    return _PACES[0][1]


def grade_all(teams: int, *, course: int = 0, seed: int = 1) -> Iterator[Work]:
    """The graded evaluation of a thousand games of each team, ten teams every second."""
    dice = random.Random(seed)  # noqa: S311 - a simulation
    for team in range(teams):
        pace = _pace(dice)
        yield Work(
            queue=Queue.GRADED,
            course=course,
            team=team,
            asked_at=team / 10,
            n_games=1000,
            ms_per_game=pace,
            known_ms=pace,
        )


def backlog(evaluations: int = 1200, *, ms_per_game: float = 75.0) -> Iterator[Work]:
    """Evaluations of 75 s of work each, of one course; after ten minutes one of another course."""
    last = evaluations
    for team in range(evaluations + 1):
        yield Work(
            queue=Queue.GRADED,
            course=int(team == last),
            team=team,
            asked_at=600.0 if team == last else 0.0,
            n_games=1000,
            ms_per_game=ms_per_game,
            known_ms=ms_per_game,
        )
