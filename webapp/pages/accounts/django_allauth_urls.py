"""Addresses under the names by which django-allauth asks for them."""

from allauth.account.views import reauthenticate
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from allauth.socialaccount.providers.saml import views as saml
from django.urls import path

from webapp.pages.accounts import provider_views, views

urlpatterns = [
    path("sign-in/", views.sign_in, name="account_login"),
    path("register/", views.register, name="account_signup"),
    path("sign-in/cancelled/", provider_views.cancelled, name="socialaccount_login_cancelled"),
    path(
        "sign-in/with/<slug:provider_id>/",
        provider_views.openid_login,
        name="openid_connect_login",
    ),
    path(
        "sign-in/with/<slug:provider_id>/callback/",
        openid_connect.callback,
        name="openid_connect_callback",
    ),
    path("sign-in/saml/<slug:organization_slug>/", saml.login, name="saml_login"),
    path("sign-in/saml/<slug:organization_slug>/acs/", saml.acs, name="saml_acs"),
    path(
        "sign-in/saml/<slug:organization_slug>/acs/finish/",
        provider_views.saml_finish,
        name="saml_finish_acs",
    ),
    path("sign-in/saml/<slug:organization_slug>/sign-out/", saml.sls, name="saml_sls"),
    path("sign-in/saml/<slug:organization_slug>/metadata/", saml.metadata, name="saml_metadata"),
    path("confirm/", reauthenticate, name="account_reauthenticate"),
    path("two-factor/", mfa.index, name="mfa_index"),
    path("two-factor/sign-in/", mfa.authenticate, name="mfa_authenticate"),
    path("two-factor/confirm/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("two-factor/app/", totp.activate_totp, name="mfa_activate_totp"),
    path("two-factor/app/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("two-factor/codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "two-factor/codes/new/",
        recovery_codes.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path(
        "two-factor/codes/download/",
        recovery_codes.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
]
