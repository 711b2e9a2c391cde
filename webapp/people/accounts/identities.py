"""Identities: people as sign-in providers name them, each joined to one account.

An identity is joined to an account by an e-mail address that the provider has verified. Registering
here takes no verified address: an account whose address nobody has confirmed may have been made by
another person, so everything that lets others in is removed first. Operators' accounts join
identities only from a session.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import F

from webapp.base.errors import Refused
from webapp.people.accounts.models import AccessToken, SessionIdentity, User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A person as a provider names them."""

    provider: str
    """The provider's id in settings, or that of an LTI registration."""
    provider_name: str
    subject: str
    """The provider's key for the person: never given to another one."""
    email: str = ""
    is_verified: bool = False
    """The provider says, or the operator trusts it, that the address is the person's."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """An account and whether its password was removed when the identity was joined to it."""

    user: User
    lost_password: bool = False


# See webapp/decisions/operators-and-providers.md
class OperatorsAccount(Refused):
    """The identity would sign in as an operator, who has not joined it from a session."""

    def __init__(self, identity: Identity) -> None:
        super().__init__(
            f"{identity.email or 'This account'} is an operator’s account. Sign in with its"
            f" password first; then you are asked whether {identity.provider_name} may sign you in."
        )


def account_of(identity: Identity) -> User | None:
    """Return the account that the identity was joined to, if any. Raises OperatorsAccount."""
    row = (
        SocialAccount.objects.filter(provider=identity.provider, uid=identity.subject)
        .select_related("user")
        .first()
    )
    if row is None:
        return None
    if row.user.is_operator and not SessionIdentity.objects.filter(identity=row).exists():
        raise OperatorsAccount(identity)
    user: User = row.user
    return user


@transaction.atomic
def join_account(identity: Identity) -> Joined | None:
    """Join the identity to the account with its address; ``None`` if there is no such account.

    Raises Refused for an address that is missing or not verified, and OperatorsAccount.
    """
    require_verified(identity)
    email = User.objects.normalize_email(identity.email)
    user = User.objects.select_for_update().filter(email=email).first()
    if user is None:
        return None
    if user.is_operator:
        raise OperatorsAccount(identity)
    lost_password = not has_confirmed_address(user) and shut_out_others(user)
    confirm_address(user)
    add_identity(user=user, identity=identity, lost_password=lost_password)
    return Joined(user, lost_password)


@transaction.atomic
def join_from_session(*, user: User, identity: Identity) -> None:
    """Join the identity to the account of the person who has just authenticated again.

    Raises Refused for an identity with another address, or joined to another account.
    """
    require_verified(identity)
    if User.objects.normalize_email(identity.email) != user.email:
        raise Refused(
            f"{identity.provider_name} names {identity.email}, which is not the address of this"
            " account."
        )
    row = add_identity(user=user, identity=identity)
    SessionIdentity.objects.get_or_create(identity=row)


def require_verified(identity: Identity) -> None:
    """Raise Refused unless the provider vouches for the identity's address."""
    if not identity.email:
        raise Refused(
            f"{identity.provider_name} did not tell us your e-mail address. Ask its"
            " administrator to release it to this site."
        )
    if not identity.email.rpartition("@")[0].isascii():  # lower case would make a k of "\u212a"
        raise Refused(f"{identity.email} is not an address that this site can use.")
    if not identity.is_verified:
        raise Refused(
            f"{identity.provider_name} does not say that {identity.email} is your address. Confirm"
            " the address there, then try again."
        )


@transaction.atomic
def add_identity(*, user: User, identity: Identity, lost_password: bool = False) -> SocialAccount:
    """Let the identity sign in to the account. Raises Refused if it signs in to another one."""
    row, is_new = SocialAccount.objects.get_or_create(
        provider=identity.provider, uid=identity.subject, defaults={"user": user}
    )
    if row.user_id != user.pk:
        raise Refused(f"{identity.provider_name} signs this person in to another account.")
    if is_new:  # else another window of theirs arrived first
        after = {"signs in with": identity.provider_name, "password removed": lost_password}
        record(ActKind.IDENTITY_JOINED, by=user, person=user, after=after)
    return row


def has_confirmed_address(user: User) -> bool:
    """Return whether the account is known to be of the person who has its address.

    Operators' accounts are made on the command line, never by registering.
    """
    return user.is_operator or bool(confirmed_among([user]))


def confirmed_among(users: Iterable[User]) -> set[int]:
    """Return the keys of those who have confirmed their present address. One query."""
    rows = EmailAddress.objects.filter(user__in=list(users), email=F("user__email"), verified=True)
    return set(rows.values_list("user_id", flat=True))


@transaction.atomic
def confirm_address(user: User) -> None:
    """Keep that the person has shown to own the account's address."""
    EmailAddress.objects.filter(email=user.email).exclude(user=user).delete()
    EmailAddress.objects.update_or_create(
        user=user, defaults={"email": user.email, "verified": True, "primary": True}
    )


# See webapp/decisions/verified-addresses.md
@transaction.atomic
def claim_address(user: User) -> None:
    """Confirm the address for the person who has its mailbox and has just set a new password."""
    if not has_confirmed_address(user):
        _remove_sign_ins(user)
    confirm_address(user)


def shut_out_others(user: User) -> bool:
    """Remove every other way in, and end all sessions; return whether a password was removed."""
    had_password = user.has_usable_password()
    user.set_unusable_password()
    user.last_login = None  # an invitation works for those who have never signed in
    user.save(update_fields=["password", "last_login"])
    _remove_sign_ins(user)
    return had_password


def _remove_sign_ins(user: User) -> None:
    AccessToken.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
