"""Addresses of similar sources."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.similarity import views

app_name = "similarity"

urlpatterns = [
    path(ASSIGNMENT + "similarity/", views.similarity, name="similarity"),
    path(ASSIGNMENT + "similarity/live/", views.live, name="live"),
    path(ASSIGNMENT + "similarity/compare/", views.compare, name="compare"),
    path(ASSIGNMENT + "similarity/pairs/<int:place>/", views.pair, name="pair"),
    path(ASSIGNMENT + "similarity/sources.zip", views.sources, name="sources"),
    path(ASSIGNMENT + "teams/sources.zip", views.chosen_sources, name="chosen_sources"),
]
