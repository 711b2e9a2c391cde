"""Addresses under the names by which django-allauth asks for them."""

from allauth.socialaccount.providers.openid_connect import views as openid_connect
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
]
