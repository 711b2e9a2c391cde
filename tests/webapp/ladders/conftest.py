"""Four teams with an accepted submission each, and ladders of theirs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

import pytest

from tests.support.templates import copy_of
from tests.webapp.conftest import (
    AGENT,
    NOW,
    enrolled,
    make_course,
    make_ida,
    make_standard_assignment,
)
from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.services import LadderSetting, open_ladder
from webapp.flow.pipeline import accept
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.services import team_for


@dataclass
class Stage:
    ida: User
    assignment: Assignment
    users: list[User]


def make_stage() -> Stage:
    ida = make_ida()
    course = make_course(ida)
    assignment = make_standard_assignment(course, ida)
    users = [enrolled(course, name) for name in ("Ada", "Ben", "Cem", "Dan")]
    for user in users:
        uploaded(assignment, user)
    return Stage(ida=ida, assignment=assignment, users=users)


def uploaded(assignment: Assignment, user: User, text: str = "") -> Submission:
    team = team_for(user=user, assignment=assignment)
    data = AGENT + f"# {user.display_name} {text}\n".encode()
    submission = accept(team=team, by=user, filename="mine.py", data=data, at=NOW)
    Submission.objects.filter(pk=submission.pk).update(status=SubmissionStatus.READY)
    submission.refresh_from_db()
    return submission


@pytest.fixture
def stage(db: None) -> Stage:
    return copy_of(make_stage)


@pytest.fixture
def start(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ladder]:
    """Open a ladder with one house agent, a target of one point, and the same tables every time."""
    secret, numbers = Ladder._meta.get_field("secret"), count()
    monkeypatch.setattr(secret, "_get_default", lambda: next(numbers).to_bytes(32, "big"))

    def start(**changes: object) -> Ladder:
        values: dict[str, object] = {"half_width": 1.0, "house_agents": ("iggi",)}
        setting = LadderSetting(**{**values, **changes})  # type: ignore[arg-type]  # any field
        return open_ladder(assignment=stage.assignment, by=stage.ida, setting=setting, at=NOW)

    return start


@pytest.fixture
def clock() -> Callable[[], datetime]:
    """A clock on which six seconds pass between two looks."""

    def times() -> Iterator[datetime]:
        at = NOW
        while True:
            at += timedelta(seconds=6)
            yield at

    moments = times()
    return lambda: next(moments)
