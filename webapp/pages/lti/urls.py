"""Addresses of LTI 1.3, and of pages on linked courses."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT, COURSE
from webapp.pages.lti import staff_views, views

app_name = "lti"

urlpatterns = [
    path("lti/login/", views.login, name="login"),
    path("lti/launch/", views.launch, name="launch"),
    path("lti/keys/", views.keys, name="keys"),
    path("lti/deep-link/", views.choose, name="deep_link"),
    path("lti/link/", views.link, name="link"),
    path(COURSE + "platforms/", staff_views.platforms, name="platforms"),
    path(COURSE + "platforms/<int:pk>/people/", staff_views.read_people, name="read_people"),
    path(ASSIGNMENT + "platforms/", staff_views.points, name="points"),
    path(ASSIGNMENT + "platforms/send/", staff_views.send, name="send"),
    path(ASSIGNMENT + "platforms/again/", staff_views.again, name="again"),
    path(ASSIGNMENT + "platforms/settings/", staff_views.settings, name="settings"),
    path(ASSIGNMENT + "platforms/check/", staff_views.check, name="check"),
    path(ASSIGNMENT + "platforms/keep/", staff_views.keep, name="keep"),
]
