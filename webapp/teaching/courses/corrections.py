"""The accounts that staff of a course can correct: of people who have not confirmed an address."""

from collections.abc import Collection

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.db.models import F

from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, Enrolment


def obstacles(course: Course, users: Collection[User]) -> dict[int, str]:
    """Return why staff of this course cannot correct these accounts, by key. Three queries.

    Accounts that they can correct are left out.
    """
    keys = [user.pk for user in users]
    confirmed = EmailAddress.objects.filter(user__in=keys, verified=True, email=F("user__email"))
    joined = SocialAccount.objects.filter(user__in=keys)
    elsewhere = Enrolment.objects.filter(user__in=keys).exclude(course=course)
    theirs = {
        *confirmed.values_list("user_id", flat=True),
        *joined.values_list("user_id", flat=True),
    }
    others = set(elsewhere.values_list("user_id", flat=True))
    found: dict[int, str] = {}
    for user in users:
        if user.is_superuser or user.is_staff or user.may_create_courses:
            found[user.pk] = f"Only an operator of this site can correct the account of {user}."
        elif user.pk in theirs:
            found[user.pk] = (
                f"{user} has confirmed {user.email}, and changes name and address on their profile."
            )
        elif user.pk in others:
            found[user.pk] = (
                f"{user} is in another course as well: only they, on their profile, or an operator"
                " of this site can correct the account."
            )
    return found
