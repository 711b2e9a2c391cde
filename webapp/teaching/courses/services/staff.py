"""The rule on roles above student: they take effect only for the owner of an account's address.

Registering confirms no address, so another person may have registered a teacher's. Every service
that gives such a role, or brings a person with one back into a course, asks this module.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from webapp.people.accounts.invitations import take_back
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, Role
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.services.inviting import send_invitations

TAKEN_BACK: Final = (
    "Nobody has confirmed the address of this account. When it gets a role above student, its"
    " password, access tokens, sessions and sign-in methods are removed, and the owner of the"
    " address is invited by e-mail."
)
"""The warning beside such an account, before it gets a role."""


# See webapp/decisions/roles-of-confirmed-addresses.md
def secure_staff(
    *, course: Course, people: Collection[int | None], by: User, at: datetime
) -> Collection[User]:
    """Take the accounts of new staff back whose address nobody has confirmed, and invite them.

    ``people`` are the keys of users whose places in the course have just been written. Return
    those whose account was taken back. One query if none of them is staff.
    """
    if not people:
        return ()
    places = course.enrolments.active().filter(user__in=people, role__in=STAFF_ROLES)
    staff = [place.user for place in places.exclude(user=by).select_related("user")]
    taken = take_back(staff, by=by) if staff else []
    if taken:
        roles = {place.user_id: Role(place.role).label for place in places}
        send_invitations(course, taken, by, at, taken_back=roles)
    return taken
