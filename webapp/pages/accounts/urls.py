"""Addresses of accounts."""

from django.urls import path

from webapp.pages.accounts import profile_views, provider_views, views

app_name = "accounts"

urlpatterns = [
    path("register/", views.register, name="register"),
    path(
        "register/with-provider/",
        provider_views.register_with_provider,
        name="register_with_provider",
    ),
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/join/", provider_views.join_identity, name="join_identity"),
    path("sign-in/operator/", views.operator_sign_in, name="operator_sign_in"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("password/", views.password_change, name="password_change"),
    path("password/reset/", views.password_reset, name="password_reset"),
    path("password/reset/sent/", views.password_reset_done, name="password_reset_done"),
    path(
        "password/reset/<uidb64>/<token>/",
        views.password_reset_confirm,
        name="password_reset_confirm",
    ),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
    path("profile/", views.profile, name="profile"),
    path("profile/name/", profile_views.change_name, name="change_name"),
    path("profile/address/", profile_views.request_address, name="request_address"),
    path("profile/address/<str:token>/", profile_views.confirm_address, name="confirm_address"),
    path("profile/time-zone/", views.set_time_zone, name="set_time_zone"),
    path("profile/download/", views.download, name="download"),
    path("profile/download.zip", views.download_archive, name="download_archive"),
    path("e-mails/<str:token>/off/", profile_views.unsubscribe, name="unsubscribe"),
    path("profile/e-mails/", profile_views.choose, name="choose_topics"),
    path("profile/tokens/", profile_views.create, name="create_token"),
    path("profile/tokens/<int:pk>/revoke/", profile_views.revoke, name="revoke_token"),
]
