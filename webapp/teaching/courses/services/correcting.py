"""Correct names and addresses of accounts: one's own, and those of people who never confirmed one.

The person who has the mailbox of an account's address gets into the account, with its work and its
roles. So people change their own address only through the new mailbox, and only if their roles
cannot have been meant for another person. Staff correct addresses that nobody has confirmed, of
accounts that are in their course alone; everything that let anybody in until then is removed.
"""

from datetime import datetime
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from webapp.base.errors import NO_REASON, Refused
from webapp.people.accounts.identities import (
    confirm_address,
    has_confirmed_address,
    shut_out_others,
)
from webapp.people.accounts.models import User
from webapp.people.accounts.services import claim_reset_mail
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.people.notifications.models import Topic
from webapp.people.notifications.services import notify_address
from webapp.teaching.courses.corrections import obstacles
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.permissions import require_instructor
from webapp.teaching.courses.services.inviting import send_invitations

VALID_HOURS: Final = 24
_SALT: Final = "webapp.courses.services.correcting"
_TAKEN: Final = "Another account has the address {}."


@transaction.atomic
def change_own_name(*, user: User, name: str) -> None:
    """Give the user another name. Raises ValidationError."""
    user = User.objects.select_for_update().get(pk=user.pk)
    _set_name(user, name, by=user)


@transaction.atomic
def request_own_address(*, user: User, email: str, at: datetime | None = None) -> str:
    """Send a link to the new address, which changes nothing until its owner opens it.

    Return the address; the present one can be confirmed so. Raises ValidationError for one that is
    none; Refused for the present address once it is confirmed, and within minutes of another mail.
    """
    now = at or timezone.now()
    address = _checked(email)
    if address != user.email:
        _require_own_roles(user)
    elif has_confirmed_address(user):
        raise Refused("This is your address already.")
    if not claim_reset_mail(user=user, at=now):
        raise Refused("You were sent a link less than ten minutes ago. Wait, then try again.")
    send_address_link(user=user, address=address, at=now)
    return address


def send_address_link(*, user: User, address: str, at: datetime) -> None:
    """Send a link by which the user, in a session of theirs, shows that they read mail there."""
    token = signing.dumps([user.pk, address, _stamp(user)], salt=_SALT)
    path = reverse("accounts:confirm_address", args=[token])
    _write_to(user, address, at, course=None, path=path)


def requested_address(token: str, user: User) -> str | None:
    """Return the address in this user's link; ``None`` for an old, used or another one's link."""
    try:
        pk, address, stamp = signing.loads(token, salt=_SALT, max_age=VALID_HOURS * 3600)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return str(address) if (pk, stamp) == (user.pk, _stamp(user)) else None


@transaction.atomic
def change_own_address(*, user: User, token: str, at: datetime | None = None) -> str:
    """Take, or confirm, the address in the link that was sent there; return it.

    Raises Refused for a link that does not work any more, a taken address, and roles that were
    given to an address that nobody has confirmed.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    address = requested_address(token, user)
    if address is None:
        raise Refused("This link is old, or was used before. Ask for another one.")
    if address == user.email:
        confirm_address(user)
        record(ActKind.ADDRESS_CHANGED, by=user, person=user, after={"confirmed": address}, at=at)
        return address
    _require_own_roles(user)
    _require_free(address)
    before = user.email
    _set_address(user, address, by=user, at=at)
    confirm_address(user)
    _write_to(user, before, at or timezone.now(), course=None)
    return address


@transaction.atomic
def correct_person(
    *,
    enrolment: Enrolment,
    by: User,
    name: str,
    email: str,
    reason: str = "",
    at: datetime | None = None,
) -> bool:
    """Correct the name and the address of a person; return whether the address changed.

    For instructors, and only for people of their course alone who have not confirmed an address.
    Raises NotAllowed, ValidationError; Refused for others, and without a reason.
    """
    require_instructor(by, enrolment.course)
    if not reason.strip():
        raise Refused(NO_REASON)
    is_changed = correct_account(
        course=enrolment.course,
        user=enrolment.user,
        by=by,
        name=name,
        email=email,
        reason=reason,
        at=at,
    )
    if is_changed and enrolment.state == EnrolmentState.ACTIVE:
        owner = User.objects.get(pk=enrolment.user_id)
        send_invitations(enrolment.course, [owner], by, at or timezone.now())
    return is_changed


@transaction.atomic
def correct_account(
    *,
    course: Course,
    user: User,
    by: User,
    name: str,
    email: str,
    reason: str,
    at: datetime | None = None,
) -> bool:
    """Carry out a correction by staff of this course; the account then waits for its owner again.

    Return whether the address changed. Raises Refused, ValidationError, NotAllowed.
    """
    require_instructor(by, course)
    user = User.objects.select_for_update().get(pk=user.pk)
    if obstacle := obstacles(course, [user]).get(user.pk):
        raise Refused(obstacle)
    if user.pk == by.pk:
        raise Refused("Change your own name and address on your profile.")
    details = {"course": course, "reason": reason}
    _set_name(user, name, by=by, at=at, **details)
    before, address = user.email, _checked(email)
    if address == before:
        return False
    _require_free(address)
    shut_out_others(user)
    EmailAddress.objects.filter(user=user).delete()
    user.last_login = None  # an invitation, and nothing else, lets its owner in
    _set_address(user, address, by=by, at=at, **details)
    _write_to(user, before, at or timezone.now(), course=course)
    return True


def _require_own_roles(user: User) -> None:
    """Raise Refused if a role may have been given to another person, who owns the old address."""
    if has_confirmed_address(user):
        return
    roles = Enrolment.objects.filter(user=user).exclude(role=Role.STUDENT)
    if user.may_create_courses or user.is_staff or roles.exists():
        raise Refused(
            f"You are more than a student, and have never confirmed {user.email}. Confirm it first:"
            " ask for a link to reset your password. If you cannot read mail there, ask an"
            " instructor of the course or an operator of this site to correct it."
        )


def _checked(email: str) -> str:
    address = User.objects.normalize_email(email)
    try:
        User(email=address).clean_fields(exclude=["password", "display_name"])
    except ValidationError as error:
        raise ValidationError(error.message_dict["email"]) from error
    return address


def _require_free(address: str) -> None:
    if User.objects.filter(email=address).exists():
        raise Refused(_TAKEN.format(address))


def _set_name(
    user: User, name: str, *, by: User, at: datetime | None = None, **details: Any
) -> None:
    before, user.display_name = user.display_name, name.strip()
    user.clean_fields(exclude=["password", "email"])
    user.save(update_fields=["display_name"])
    record(
        ActKind.NAME_CHANGED,
        by=by,
        person=user,
        before={"name": before},
        after={"name": user.display_name},
        at=at,
        **details,
    )


def _set_address(
    user: User, address: str, *, by: User, at: datetime | None = None, **details: Any
) -> None:
    before, user.email = user.email, address
    user.save(update_fields=["email", "last_login"])
    record(
        ActKind.ADDRESS_CHANGED,
        by=by,
        person=user,
        before={"e-mail address": before},
        after={"e-mail address": address},
        at=at,
        **details,
    )


def _write_to(
    user: User, address: str, at: datetime, *, course: Course | None, path: str = ""
) -> None:
    """Queue a mail: to a new address with a link, or to an old one, which is told of the change."""
    notify_address(
        user,
        address=address,
        topic=Topic.ADDRESS,
        key=f"{'new' if path else 'old'}-{at:%Y%m%d%H%M%S%f}",
        context={
            "name": user.display_name,
            "email": user.email,
            "course": course,
            "is_request": bool(path),
            "is_present": address == user.email,
            "hours": VALID_HOURS,
            "path": path or reverse("accounts:profile"),
        },
        at=at,
    )


def _stamp(user: User) -> str:
    """Return a digest that changes with the password and with the address."""
    return salted_hmac(_SALT, f"{user.password}{user.email}").hexdigest()[:20]
