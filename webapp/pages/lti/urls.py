"""Addresses of LTI 1.3, and of pages on linked courses."""

from django.urls import path

from webapp.pages.lti import deep_link_views, linking_views, views

app_name = "lti"

urlpatterns = [
    path("lti/login/", views.login, name="login"),
    path("lti/launch/", views.launch, name="launch"),
    path("lti/keys/", views.keys, name="keys"),
    path("lti/deep-link/", deep_link_views.choose, name="deep_link"),
    path("lti/link/", linking_views.link, name="link"),
]
