"""Which address shows what."""

from django.contrib import admin
from django.urls import include, path

from webapp.pages import errors, views

urlpatterns = [
    path("", views.home, name="home"),
    path("accounts/", include("webapp.accounts.urls")),
    path("guide/", include("webapp.guide.urls")),
    path("", include("webapp.courses.urls")),
    path("", include("webapp.submissions.urls")),
    path("", include("webapp.evaluations.urls")),
    path("", include("webapp.tournaments.urls")),
    path("", include("webapp.leaderboards.urls")),
    path("", include("webapp.gradebook.urls")),
    path("operations/", include("webapp.operations.urls")),
    path("admin/", admin.site.urls),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error
