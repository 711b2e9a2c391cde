"""New accounts of students: each is made with the invite code of a course, and enrolled in it."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.people.accounts.identities import (
    Identity,
    add_identity,
    confirm_address,
    require_verified,
)
from webapp.people.accounts.models import User
from webapp.teaching.courses.services.correcting import send_address_link
from webapp.teaching.courses.services.courses import course_of_code, enrol_by_code, require_place


@transaction.atomic
def register_student(
    *, email: str, display_name: str, password: str, invite_code: str, student_number: str = ""
) -> User:
    """Create an account and enrol it in the course of the code; send a link to its address.

    Nothing waits for the address to be confirmed, but a role above student.

    Raises ValidationError with all that is wrong, by field; then nothing was created.
    """
    wrong = registration_errors(
        email=email, display_name=display_name, password=password, invite_code=invite_code
    )
    if wrong:
        raise ValidationError(wrong)
    user = User.objects.create_user(email, password, display_name=display_name.strip())
    enrol_by_code(user=user, invite_code=invite_code, student_number=student_number)
    send_address_link(user=user, address=user.email, at=timezone.now())
    return user


@transaction.atomic
def register_with_identity(
    *, identity: Identity, display_name: str, invite_code: str, student_number: str = ""
) -> User:
    """Create an account without a password for a person whom a provider has verified; enrol it.

    Raises Refused if the address is not verified, and for the code; ValidationError.
    """
    require_verified(identity)
    user = User.objects.create_user(identity.email, display_name=display_name.strip())
    confirm_address(user)
    add_identity(user=user, identity=identity)
    enrol_by_code(user=user, invite_code=invite_code, student_number=student_number)
    return user


def registration_errors(
    *, email: str, display_name: str, password: str, invite_code: str
) -> dict[str, list[str]]:
    """Return the errors of a registration by field; empty if there are none.

    Without a valid code nobody learns which addresses have an account.
    """
    wrong: dict[str, list[str]] = {}
    try:
        require_place(course_of_code(invite_code))
    except Refused as refusal:
        wrong["invite_code"] = [str(refusal)]
    draft = User(email=User.objects.normalize_email(email), display_name=display_name.strip())
    try:
        draft.full_clean(
            exclude=["password"], validate_unique=not wrong, validate_constraints=False
        )
    except ValidationError as error:
        wrong |= error.message_dict
    try:
        validate_password(password, draft)
    except ValidationError as error:
        wrong["password"] = error.messages
    return wrong
