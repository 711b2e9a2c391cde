"""Staff whose address nobody has confirmed: they got their roles before that was required.

They keep their roles. Each may be another person, who registered the address first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q

from webapp.people.accounts.invitations import doubtful_among
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Enrolment
from webapp.teaching.courses.models.course import STAFF_ROLES


@dataclass(frozen=True, slots=True, kw_only=True)
class UnconfirmedStaff:
    """A member of staff, and why they count as one."""

    user: User
    rights: tuple[str, ...]


def unconfirmed_staff() -> Sequence[UnconfirmedStaff]:
    """Return the accounts above student whose address nobody has confirmed. Three queries.

    Accounts that wait for an invitation to be accepted are left out: nobody can use them.
    """
    places = Enrolment.objects.active().filter(role__in=STAFF_ROLES, course__deleted_at=None)
    is_staff = Q(may_create_courses=True) | Exists(places.filter(user=OuterRef("pk")))
    teaching = Prefetch("enrolments", places.select_related("course"), to_attr="teaching")
    users = list(User.objects.filter(is_staff, is_active=True).prefetch_related(teaching))
    doubtful = doubtful_among(users)
    return [
        UnconfirmedStaff(user=user, rights=_rights(user))
        for user in sorted(users, key=lambda user: user.email)
        if user.pk in doubtful
    ]


def _rights(user: User) -> tuple[str, ...]:
    teaching: list[Enrolment] = getattr(user, "teaching", [])
    roles = [f"{place.role} in {place.course}" for place in teaching]
    return ("may create courses", *roles) if user.may_create_courses else tuple(roles)
