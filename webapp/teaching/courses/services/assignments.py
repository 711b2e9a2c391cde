"""Create and change assignments, and reveal their secrets."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from grader.core.deals import commitment, practice_secret
from grader.core.errors import GraderError
from grader.core.games.versions import version_of
from grader.house.catalogue import AGENTS
from webapp.base.errors import Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import changed_values, record
from webapp.teaching.courses.defaults import default_opponents, default_scheme
from webapp.teaching.courses.last_dates import last_ends_at
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, Course, LeaderboardVisibility, note_game
from webapp.teaching.courses.models.dates import POLICY
from webapp.teaching.courses.permissions import require_instructor
from webapp.teaching.courses.stored_schemes import scheme_json
from webapp.teaching.courses.work import work

MAX_BOARD_LINES: Final = 4
FROZEN_ONCE_GRADED: Final = frozenset(
    {
        *("game", "options", "opponents", "limits", "n_games", "max_consecutive_faults"),
        *("interfaces", "interface_options", "mode", "checks_student_number"),
    }
)
"""Fields that all graded evaluations of one assignment must share to be compared."""
DATES: Final = POLICY | {"due_at", "counts", "has_plain_days"}
"""Fields that decide which upload counts, and the price of lateness."""


@transaction.atomic
def create_assignment(*, course: Course, by: User, **fields: Any) -> Assignment:
    """A new assignment with a secret of its own. Raises NotAllowed, ValidationError."""
    require_instructor(by, course)
    fields.setdefault("leaderboard", course.leaderboard_default)
    assignment = Assignment(course=course, **fields)
    _fill(assignment, fields)
    assignment.commitment = commitment(bytes(assignment.secret))
    assignment.full_clean()
    assignment.practice_secret = practice_secret(assignment.rules.practice_blocks)
    assignment.game_version = version_of(type(assignment.rules))
    assignment.save()
    note_game(type(assignment.rules))
    record(ActKind.ASSIGNMENT_CREATED, by=by, course=course, thing=assignment)
    return assignment


def _fill(assignment: Assignment, given: Collection[str]) -> None:
    """Fill in defaults for values that the game needs. Validation finds invalid rules."""
    try:
        game = assignment.rules
    except (GraderError, ValueError):
        return
    if "opponents" not in given:
        assignment.opponents = default_opponents(game)
    if "grading" not in given:
        assignment.grading = scheme_json(default_scheme(game, assignment.opponents))


@transaction.atomic
def update_assignment(*, assignment: Assignment, by: User, **fields: Any) -> bool:
    """Change the given values; rules and limits only while nothing has been graded.

    Return whether the grading scheme changed. Raises NotAllowed, Refused, ValidationError.
    """
    require_instructor(by, assignment.course)
    lock(assignment)
    scheme = assignment.scheme
    changed = {name for name, value in fields.items() if getattr(assignment, name) != value}
    _refuse_frozen(assignment, changed)
    values = changed_values(assignment, fields)
    for name in changed:
        setattr(assignment, name, fields[name])
    assignment.full_clean()
    assignment.save(update_fields=list(changed))
    installed = version_of(type(assignment.rules))
    if assignment.game_version != installed and not work().is_frozen(assignment):
        assignment.game_version = installed
        assignment.save(update_fields=["game_version"])
    if "game" in changed:
        note_game(type(assignment.rules))
    if "holds_grades" in changed and assignment.holds_grades:
        assignment.releases.all().delete()  # of an earlier time, when they were held before
    if changed:
        record(ActKind.ASSIGNMENT_CHANGED, by=by, thing=assignment, **values)
    return assignment.scheme != scheme


def _refuse_frozen(assignment: Assignment, changed: set[str]) -> None:
    frozen = set(changed & FROZEN_ONCE_GRADED)
    if not assignment.checks_student_number:
        frozen.discard(
            "checks_student_number"
        )  # files that were taken stay; later ones are checked
    if frozen and work().is_frozen(assignment):
        names = ", ".join(sorted(frozen))
        raise Refused(
            f"Graded games have been played, so these can no longer change: {names}. Create a new"
            " assignment instead."
        )
    if changed & DATES and assignment.secret_revealed_at is not None:
        raise Refused("The secret has been revealed: dates and late policy can no longer change.")


@transaction.atomic
def set_leaderboard(*, assignment: Assignment, by: User, visibility: LeaderboardVisibility) -> None:
    """Publish or hide the leaderboard."""
    require_instructor(by, assignment.course)
    changed = changed_values(assignment, {"leaderboard": visibility.value})
    assignment.leaderboard = visibility
    assignment.save(update_fields=["leaderboard"])
    if changed["after"]:
        record(ActKind.BOARD_CHANGED, by=by, thing=assignment, **changed)


@transaction.atomic
def set_board_lines(*, assignment: Assignment, by: User, names: Sequence[str]) -> None:
    """Choose the house agents that are drawn on the leaderboard; with none, the site chooses."""
    require_instructor(by, assignment.course)
    chosen = [name for name in dict.fromkeys(names) if name in AGENTS]
    if len(chosen) > MAX_BOARD_LINES:
        raise Refused(f"Choose at most {MAX_BOARD_LINES}: more lines would be hard to tell apart.")
    changed = changed_values(assignment, {"board_lines": chosen})
    assignment.board_lines = chosen
    assignment.save(update_fields=["board_lines"])
    if changed["after"]:
        kind = ActKind.BOARD_LINES_CHOSEN
        record(kind, by=by, thing=assignment, **changed)


@transaction.atomic
def reveal_secret(*, assignment: Assignment, by: User, at: datetime | None = None) -> None:
    """Reveal the secret to the course: from then on graded games can be viewed and replayed.

    Raises Refused while a team can still submit for a grade. Cannot be undone.
    """
    require_instructor(by, assignment.course)
    lock(assignment)  # no extension, and no other deadline, at this moment
    now = at or timezone.now()
    if now <= last_ends_at(assignment):
        raise Refused("Teams can still submit: reveal the secret after the last deadline.")
    if assignment.secret_revealed_at is None:
        assignment.secret_revealed_at = now
        assignment.save(update_fields=["secret_revealed_at"])
        record(ActKind.DEALS_REVEALED, by=by, thing=assignment, at=now)
