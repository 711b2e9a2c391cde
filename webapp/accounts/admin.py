"""The admin's view of people."""

from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from webapp.accounts.identities import confirm_address, has_confirmed_address
from webapp.accounts.models import User
from webapp.auditlog.admin import RecordedAdmin

# Secrets of second factors, and providers that no setting names: neither is for the admin.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


_RIGHTS: Final = ("may_create_courses", "is_staff", "is_superuser")


class RightsForm(UserChangeForm):  # type: ignore[type-arg]  # not generic at run time
    """Refuses rights for an account whose address nobody has confirmed."""

    def clean(self) -> dict[str, Any]:
        """Compare the rights with those before: the account is not changed yet."""
        cleaned = super().clean() or {}
        given = [name for name in _RIGHTS if cleaned.get(name) and not getattr(self.instance, name)]
        if given and not has_confirmed_address(self.instance):
            raise ValidationError(
                "Nobody has confirmed the address of this account, so another person may have"
                " registered it. Its owner confirms it on the profile page, or with “Forgotten"
                " your password?”; give the rights after that."
            )
        return cleaned


@admin.register(User)
class UserAdmin(RecordedAdmin, DjangoUserAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Operators may correct names and addresses, switch accounts off and set passwords."""

    form = RightsForm
    add_form = AdminUserCreationForm
    ordering = ("email",)
    list_display = ("email", "display_name", "may_create_courses", "is_active", "is_staff")
    list_filter = ("may_create_courses", "is_active", "is_staff")
    search_fields = ("email", "display_name")
    readonly_fields = ("date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("email", "display_name", "password")}),
        ("Rights", {"fields": ("is_active", "may_create_courses", "is_staff", "is_superuser")}),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "display_name", "usable_password", "password1", "password2")}),
    )
    filter_horizontal = ()

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's own
        """Take the operator's word for the address of a new account, as on the command line."""
        super().save_model(request, obj, form, change)
        if not change:
            confirm_address(obj)
