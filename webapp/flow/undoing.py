"""Undo acts of staff: the service that does the opposite, as long as nothing has changed since.

Its service checks who may, and the audit log has both entries. E-mails that were sent stay sent.
"""
# See webapp/decisions/undo.md

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from webapp.base.errors import CHANGED_SINCE, Refused
from webapp.flow import pipeline
from webapp.grading.gradebook.models import ManualPoints
from webapp.grading.gradebook.services import restore_points
from webapp.grading.submissions.models import Choice
from webapp.grading.submissions.services import choose_submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.teaching.courses import services as courses
from webapp.teaching.courses.locks import lock, lock_course
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    Enrolment,
    EnrolmentState,
    Extension,
    GradeRelease,
    LeaderboardVisibility,
    Membership,
    Role,
    Team,
)
from webapp.teaching.courses.roster.formats import sections_in

_Row = TypeVar("_Row")
REASON: Final = "Undone: the previous change was reverted."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Undo:
    """Acts of one kind that one person did at one moment in one course."""

    acts: Sequence[Act]
    course: Course
    by: User
    at: datetime

    @property
    def act(self) -> Act:
        return self.acts[0]

    @property
    def signed(self) -> dict[str, Any]:
        return {"by": self.by, "at": self.at, "reason": REASON}


def undoable(acts: Iterable[Act]) -> Act | None:
    """Return the act by which these can be undone, or ``None``: there is no way back from them."""
    inverses = [act for act in acts if act.kind in _INVERSES and _has_way_back(act)]
    return inverses[0] if inverses else None


def acts_of_moment(pk: int, *, by: User) -> list[Act]:
    """Return an act of this person with all others of its kind, course and moment."""
    first = Act.objects.filter(pk=pk, by=by, kind__in=_INVERSES).select_related("course").first()
    if first is None or first.course is None:
        return []
    return list(
        Act.objects.filter(by=by, kind=first.kind, course=first.course, at=first.at).order_by("pk")
    )


@transaction.atomic
def undo(acts: Sequence[Act], *, course: Course, by: User, at: datetime | None = None) -> None:
    """Take these acts back, all or none. Raises NotAllowed, Refused."""
    now = at or timezone.now()
    task = _Undo(acts=acts, course=course, by=by, at=now)
    inverse = _INVERSES[task.act.kind]
    pipeline.change_dates(course=course, by=by, change=lambda: inverse(task), at=now)


def _refuse_followed(task: _Undo) -> None:
    """Refuse if one of these people was changed in the same way since, with any outcome."""
    later = Act.objects.filter(
        kind=task.act.kind,
        course=task.course,
        person__in=[act.person_id for act in task.acts],
        pk__gt=task.acts[-1].pk,
    )
    _require(not later.exists())


def _has_way_back(act: Act) -> bool:
    """Check that there was an earlier state: not every act can go back to none."""
    if act.kind == ActKind.TEAM_CHANGED.name_kept:
        return Team.objects.filter(pk=act.before["team"]).exists()
    if act.kind == ActKind.UPLOAD_CHOSEN.name_kept:
        return Choice.objects.filter(team=act.team_id, chosen_at__lt=act.at).exists()
    if act.kind == ActKind.BOARD_CHANGED.name_kept:
        return _titled(act).count() == 1
    # Who is no instructor any more could not undo it.
    return not (act.kind == ActKind.ROLE_CHANGED.name_kept and act.by_id == act.person_id)


def _require(is_unchanged: bool) -> None:  # noqa: FBT001 - reads as what it says
    if not is_unchanged:
        raise Refused(CHANGED_SINCE)


def _there(row: _Row | None) -> _Row:
    if row is None:
        raise Refused(CHANGED_SINCE)
    return row


# --- People -------------------------------------------------------------------------------------


def _change_people(
    field: str, argument: Callable[[Course, Any], dict[str, Any]]
) -> Callable[[_Undo], None]:
    """Return the inverse for a value of people's place in the course."""

    def inverse(task: _Undo) -> None:
        lock_course(task.course)
        _refuse_followed(task)
        places = _places(task)
        groups: dict[Any, list[Enrolment]] = {}
        for act in task.acts:
            place = _there(places.get(act.person_id))
            _require(_word(place, field) == act.after[field])
            groups.setdefault(act.before[field], []).append(place)
        for value, people in groups.items():
            courses.change_people(
                course=task.course,
                enrolments=people,
                **argument(task.course, value),
                **task.signed,
            )

    return inverse


def _places(task: _Undo) -> Mapping[int | None, Enrolment]:
    people = [act.person_id for act in task.acts]
    places = task.course.enrolments.filter(user__in=people).with_sections()
    return {place.user_id: place for place in places}


def _word(place: Enrolment, field: str) -> str | None:
    if field == "section":
        return place.section_words or None
    return str(getattr(place, field))


def _section(course: Course, name: str | None) -> dict[str, Any]:
    if name is None:
        return {"no_section": True}
    known = {section.name: section for section in course.sections.all()}
    names = sections_in(name, known)
    if gone := [each for each in names if each not in known]:
        raise Refused(f"The section {gone[0]} is no longer there. Nothing was done.")
    return {"sections": [known[each] for each in names]}


def _locked_place(task: _Undo) -> Enrolment:
    lock_course(task.course)
    _refuse_followed(task)
    return _there(_places(task).get(task.act.person_id))


def _restore_number(task: _Undo) -> None:
    place = _locked_place(task)
    _require(place.student_number == task.act.after["student number"])
    number = task.act.before["student number"] or ""
    courses.set_student_number(enrolment=place, by=task.by, number=str(number))


def _restore_time(task: _Undo) -> None:
    place, name = _locked_place(task), "percent of the usual time"
    _require(place.time_percent == task.act.after[name])
    place.course = task.course
    percent = int(task.act.before[name] or 0)
    courses.accommodate(enrolment=place, time_percent=percent, **task.signed)


# --- Teams, dates and uploads ---------------------------------------------------------------------


def _move_back(task: _Undo) -> None:
    _refuse_followed(task)
    act = task.act
    teams = Team.objects.select_related("assignment__course")
    team = _there(teams.filter(pk=act.before["team"], assignment__course=task.course).first())
    member = Membership.objects.filter(team=act.after["team"], user=act.person_id)
    now_in = _there(member.select_related("user").first())
    courses.move_student(user=now_in.user, team=team, by=task.by, goes_back=True)


def _extend_back(task: _Undo) -> list[Extension]:
    return [_extended_back(task, act) for act in task.acts]


def _extended_back(task: _Undo, act: Act) -> Extension:
    of_one = Extension.objects.filter(team=act.team_id, user=act.person_id).order_by("-pk")
    given = of_one.filter(granted_at=act.at, assignment__course=task.course)
    row = _there(given.select_related("assignment__course", "team__assignment__course").first())
    lock(row.assignment)
    last, *before = of_one.filter(assignment=row.assignment)[:2]
    _require(last == row)
    due_at = before[0].due_at if before else None
    if row.team is not None:
        return courses.extend_deadline(team=row.team, due_at=due_at, **task.signed)
    place = _there(task.course.enrolments.select_related("user").filter(user=row.user).first())
    return courses.extend_student(
        enrolment=place, assignment=row.assignment, due_at=due_at, **task.signed
    )


def _choose_back(task: _Undo) -> None:
    choices = Choice.objects.filter(team=task.act.team_id, team__assignment__course=task.course)
    last, *before = choices.select_related("submission__team__assignment__course")[:2]
    lock(last.submission.team.assignment)
    _require(last.chosen_at == task.act.at and bool(before))
    choose_submission(submission=before[0].submission, by=task.by, at=task.at)


# --- Grades and the board ------------------------------------------------------------------------


def _hold_again(task: _Undo) -> None:
    rows = GradeRelease.objects.filter(assignment__course=task.course, released_by=task.act.by_id)
    release = rows.filter(released_at=task.act.at).select_related("assignment__course").first()
    courses.take_back_release(release=_there(release), **task.signed)


def _restore_points(task: _Undo) -> None:
    rows = ManualPoints.objects.filter(assignment__course=task.course, given_by=task.act.by_id)
    given = rows.filter(given_at=task.act.at).select_related("assignment__course").first()
    restore_points(given=_there(given), **task.signed)


def _restore_board(task: _Undo) -> None:
    titled = _titled(task.act).select_related("course")[:2]
    _require(len(titled) == 1)  # the log has the title alone
    (assignment,) = titled
    lock(assignment)
    _require(assignment.leaderboard == task.act.after["leaderboard"])
    before = LeaderboardVisibility(str(task.act.before["leaderboard"]))
    courses.set_leaderboard(assignment=assignment, by=task.by, visibility=before)


def _titled(act: Act) -> QuerySet[Assignment]:
    return Assignment.objects.filter(course=act.course_id, title=act.thing)


_INVERSES: Final[Mapping[str, Callable[[_Undo], object]]] = {
    kind.name_kept: inverse
    for kind, inverse in {
        ActKind.STATE_CHANGED: _change_people(
            "state", lambda _, value: {"state": EnrolmentState(value)}
        ),
        ActKind.ROLE_CHANGED: _change_people("role", lambda _, value: {"role": Role(value)}),
        ActKind.SECTION_CHANGED: _change_people("section", _section),
        ActKind.NUMBER_CHANGED: _restore_number,
        ActKind.TIME_CHANGED: _restore_time,
        ActKind.EXTENSION_GIVEN: _extend_back,
        ActKind.TEAM_CHANGED: _move_back,
        ActKind.UPLOAD_CHOSEN: _choose_back,
        ActKind.GRADES_RELEASED: _hold_again,
        ActKind.POINTS_GIVEN: _restore_points,
        ActKind.BOARD_CHANGED: _restore_board,
    }.items()
}
