"""Permissions to look into an evaluation's single games."""

from django.db.models import Exists, OuterRef, Q

from webapp.grading.evaluations.models import Draft, Evaluation, Kind
from webapp.grading.evaluations.models.evaluation import EvaluationQuerySet
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Enrolment
from webapp.teaching.courses.permissions import Person, viewer_in
from webapp.teaching.courses.releases import is_released
from webapp.teaching.courses.rights import Right


# See webapp/decisions/causes-of-faults.md
def may_see_games(user: Person, evaluation: Evaluation) -> bool:
    """Return whether the user may see single games: records, deals and messages.

    Staff always. Students: their own and house agents' games on public deals; graded games only
    once the secret is revealed, since an agent could be written to know the deals.
    """
    assignment = evaluation.assignment
    if evaluation.kind == Kind.TRY:
        return isinstance(user, User) and tries_of(user).filter(pk=evaluation.pk).exists()
    if viewer_in(user, assignment.course).is_staff:
        return True
    if not viewer_in(user, assignment.course).is_member:
        return False
    if not is_deal_public(evaluation):
        return False
    return bool(evaluation.house_agent) or _is_own(user, evaluation)


def tries_of(user: User) -> EvaluationQuerySet:
    """Return the tries that the user asked for, and the last ones of drafts that they share."""
    tries = Evaluation.with_tries.filter(kind=Kind.TRY)
    enrolled = Enrolment.objects.active().filter(course=OuterRef("assignment__course"), user=user)
    shared = Draft.objects.of(user).filter(tried=OuterRef("pk"))
    return tries.filter(Exists(enrolled), Q(requested_by=user) | Exists(shared))


# See webapp/decisions/graded-games-are-secret.md
def is_deal_public(evaluation: Evaluation) -> bool:
    """Return whether everybody may know its deals: of graded games only once they are revealed."""
    return evaluation.kind != Kind.GRADED or evaluation.assignment.secret_revealed_at is not None


def _is_own(user: Person, evaluation: Evaluation) -> bool:
    submission = evaluation.submission
    if submission is None or user.pk is None:
        return False
    if evaluation.kind == Kind.GRADED and not is_released(submission.team):
        return False
    return submission.team.memberships.filter(user_id=user.pk).exists()


def may_decide(user: Person, evaluation: Evaluation) -> bool:
    """Return whether the user may stop it, and send its games again: staff with the right."""
    course, submission = evaluation.assignment.course, evaluation.submission
    if Right.GRADE not in viewer_in(user, course).rights:
        return False
    members = [] if submission is None else list(submission.team.memberships.all())
    return viewer_in(user, course).may_act_for([member.user_id for member in members])
