"""A person signs in by e-mail address and is shown by name; there are no user names."""

import hashlib
from typing import Any, ClassVar, Final

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from webapp.base.storable import validate_name
from webapp.base.timezones import validate_timezone

ADDRESS_TAKEN: Final = "There is an account with this e-mail address already: sign in with it."


class UserManager(BaseUserManager["User"]):
    """Creates users; addresses are kept in lower case, so that equal means equal."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user; without a password nobody can sign in as them. Raises ValidationError."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        try:
            with transaction.atomic(using=self._db):
                user.save(using=self._db)
        except IntegrityError:  # another request took the address since the check
            raise ValidationError({"email": [ADDRESS_TAKEN]}) from None
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """An operator: may do everything, everywhere, and sees the admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """Lower case throughout: no mail system in use tells ``Ada@`` from ``ada@``."""
        return (email or "").strip().lower()

    def get_by_natural_key(self, username: str | None) -> "User":
        """Signing in does not care about capitals either."""
        return self.get(email=self.normalize_email(username))


class User(AbstractBaseUser, PermissionsMixin):
    email = models.EmailField(
        "e-mail address",
        unique=True,
        error_messages={"unique": ADDRESS_TAKEN},
    )
    display_name = models.CharField("name", max_length=80, validators=[validate_name])
    time_zone = models.CharField(max_length=64, blank=True, validators=[validate_timezone])
    """The time zone in which times are shown; empty: the course's."""
    may_create_courses = models.BooleanField(
        default=False, help_text="May create courses. Enrolments set the roles in a course."
    )
    is_active = models.BooleanField(
        default=True, help_text="Deactivate accounts instead of deleting them."
    )
    is_staff = models.BooleanField("operator", default=False, help_text="May use the admin pages.")
    date_joined = models.DateTimeField(default=timezone.now, editable=False)
    reset_mailed_at = models.DateTimeField(null=True, blank=True, editable=False)
    """The time of the last link to reset the password: one is sent at most every few minutes."""

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["display_name"]

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(email=Lower("email")), name="user_email_lower_case"),
            models.CheckConstraint(condition=~Q(display_name=""), name="user_has_name"),
        )

    def __str__(self) -> str:
        return self.display_name

    def clean(self) -> None:
        """Forms of the admin come through here: no second spelling of an address."""
        self.email = type(self).objects.normalize_email(self.email)

    def check_password(self, raw_password: str | None) -> bool:
        """Keep the access tokens where Django only hashes the same password with newer settings."""
        before = password_digest(self)
        with transaction.atomic():
            is_right = super().check_password(raw_password)
            if is_right and (after := password_digest(self)) != before:
                tokens = AccessToken.objects.filter(user=self, password_digest=before)
                tokens.update(password_digest=after)
        return is_right

    @property
    def is_operator(self) -> bool:
        """True if the account has rights over the site: it is never joined by its address."""
        return self.is_staff or self.is_superuser

    def get_full_name(self) -> str:
        return self.display_name

    def get_short_name(self) -> str:
        return self.display_name


class FormAttempt(models.Model):
    """One form sent without a session, counted by network; deleted once it is too old to count."""

    class Kind(models.TextChoices):
        """The form that was sent."""

        SIGN_IN = "sign_in", "sign-in that failed"
        REGISTER = "register", "registration with a wrong code"
        RESET = "reset", "request for a link to reset a password"
        PLAY = "play", "game that a visitor began"

    kind = models.CharField(max_length=8, choices=Kind)
    network = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["kind", "network", "at"], name="attempt_of_network"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(kind__in=["sign_in", "register", "reset", "play"]),
                name="attempt_kind_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} from {self.network}"


class SessionIdentity(models.Model):
    """An identity that was joined from a session, not by its address; operators use no other."""

    identity = models.OneToOneField(
        "socialaccount.SocialAccount", models.CASCADE, related_name="from_session"
    )
    joined_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.identity}"


class AccessToken(models.Model):
    """Lets a program act for a user. Only a digest of the token is stored.

    It ends with the user's password, however that is changed, as sessions do.
    """

    class Scope(models.TextChoices):
        READ = "read", "read results"
        UPLOAD = "upload", "upload and read results"

    user = models.ForeignKey(User, models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=60, validators=[validate_name])
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the token, in hexadecimal."""
    scope = models.CharField(max_length=6, choices=Scope)
    password_digest = models.CharField(max_length=64)
    """``password_digest`` of the user when the token was created: with another one it is over."""
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    """Accurate to an hour."""

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=~Q(name=""), name="access_token_has_name"),
            models.CheckConstraint(
                condition=Q(scope__in=["read", "upload"]), name="access_token_scope_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"


def password_digest(user: User) -> str:
    """Return a digest that changes with the user's password: SHA-256 of its salted hash."""
    return hashlib.sha256(user.password.encode()).hexdigest()
