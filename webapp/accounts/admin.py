"""The admin's view of people."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm

from webapp.accounts.models import User
from webapp.auditlog.admin import RecordedAdmin

# Secrets of second factors, and providers that no setting names: neither is for the admin.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(User)
class UserAdmin(RecordedAdmin, DjangoUserAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Operators may correct names and addresses, switch accounts off and set passwords."""

    form = UserChangeForm
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
