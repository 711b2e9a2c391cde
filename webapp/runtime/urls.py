"""Addresses of pages, and the views behind them."""

from django.contrib import admin
from django.urls import include, path

from webapp.pages import errors, home
from webapp.pages.accounts.views import admin_login
from webapp.pages.guide.views import wheel
from webapp.pages.operations import views as operations
from webapp.pages.undoing import undo
from webapp.runtime.api.endpoints import api

urlpatterns = [
    path("", home.home, name="home"),
    path("boards/", home.boards, name="boards"),
    path("example-game/", include("webapp.pages.front_game")),
    path("healthz", operations.healthz, name="healthz"),
    path("readyz", operations.readyz, name="readyz"),
    path("metrics", operations.metrics, name="metrics"),
    path("accounts/", include("webapp.pages.accounts.urls")),
    path("accounts/", include("webapp.pages.accounts.django_allauth_urls")),
    path("guide/", include("webapp.pages.guide.urls")),
    path("download/<str:name>", wheel, name="wheel"),
    path("", include("webapp.pages.courses.urls")),
    path("", include("webapp.pages.submissions.urls")),
    path("", include("webapp.pages.evaluations.urls")),
    path("", include("webapp.pages.tournaments.urls")),
    path("", include("webapp.pages.playing.urls")),
    path("", include("webapp.pages.sharing.urls")),
    path("", include("webapp.pages.ladders.urls")),
    path("", include("webapp.pages.leaderboards.urls")),
    path("", include("webapp.pages.gradebook.urls")),
    path("", include("webapp.pages.similarity.urls")),
    path("", include("webapp.pages.lti.urls")),
    path("", include("webapp.pages.auditlog.urls")),
    path("", include("webapp.pages.lifecycle.urls")),
    path("undo/<int:act>/", undo, name="undo"),
    path("operations/", include("webapp.pages.operations.urls")),
    path("api/v1/", api.urls),
    path("admin/login/", admin_login),
    path("admin/", admin.site.urls),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error
