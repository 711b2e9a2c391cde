"""Forms on accounts. They read and show values; services decide what is allowed."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
)
from django.utils import timezone
from django.utils.safestring import SafeString

from webapp.people.accounts.models import User
from webapp.people.accounts.services import claim_reset_mail
from webapp.people.accounts.sign_in import may_use_password
from webapp.teaching.courses.services.registering import registration_errors

_RULE_OF_PASSWORDS: Final = (
    "At least 10 characters; not only digits, not a common password, not your name."
)


class RegisterForm(forms.Form):
    """A new account, with the code that says for which course."""

    invite_code = forms.CharField(
        label="Invite code",
        max_length=40,
        help_text=SafeString("From your instructor, for example <code>K7QRT2MXPA</code>."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "code"}),
    )
    display_name = forms.CharField(
        label="Name",
        max_length=80,
        help_text="Your instructor sees it. Other students see your team’s alias.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    student_number = forms.CharField(
        label="Student number",
        max_length=40,
        required=False,
        help_text="If your instructor asks for it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = forms.EmailField(
        label="E-mail address",
        help_text="You sign in with it.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label="Password",
        strip=False,
        help_text=_RULE_OF_PASSWORDS,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        """Say all that is wrong at once, also beside fields that are empty or malformed."""
        cleaned = super().clean() or {}
        names = ("email", "display_name", "password", "invite_code")
        wrong = registration_errors(**{name: cleaned.get(name, "") for name in names})
        for name, texts in wrong.items():
            if name not in self.errors:
                self.add_error(name, texts)
        return cleaned


class SignInForm(AuthenticationForm):
    """Django's form, with this site's texts."""

    error_messages = {  # noqa: RUF012 - Django's own attribute
        "invalid_login": "Wrong e-mail address or password. Passwords are case-sensitive.",
        "inactive": "This account has been switched off. Ask this site\u2019s operator.",
        "not_operator": "Wrong e-mail address or password, or not an operator's account.",
    }

    def confirm_login_allowed(self, user: User) -> None:
        """Refuse accounts that are switched off, and passwords where only operators have them."""
        super().confirm_login_allowed(user)
        if not may_use_password(user):
            raise forms.ValidationError(self.error_messages["not_operator"], code="not_operator")


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # not generic at run time
    """Django's form, with the texts of the registration page."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["new_password1"].help_text = _RULE_OF_PASSWORDS
        self.fields["new_password2"].label = "New password again"
        self.fields["new_password2"].help_text = ""


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    """Asks for the old password as well."""


class ResetForm(PasswordResetForm):
    """Django's; an account that has just been sent a link is passed over in silence."""

    email = forms.EmailField(
        label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def save(self, *arguments: Any, **options: Any) -> None:
        """Send a link to this site, not to the host of the request, which anybody can choose."""
        site = urlsplit(settings.SITE_URL)
        options |= {"domain_override": site.netloc, "use_https": site.scheme == "https"}
        super().save(*arguments, **options)

    def get_users(self, email: str) -> Iterator[User]:
        """Whom to send a link: at most one account, for addresses are unique."""
        address = User.objects.normalize_email(email)
        for user in User.objects.filter(email=address, is_active=True):
            if may_use_password(user) and claim_reset_mail(user=user, at=timezone.now()):
                yield user
