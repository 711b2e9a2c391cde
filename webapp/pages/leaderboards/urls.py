"""Addresses of leaderboards."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.leaderboards import views

app_name = "leaderboards"

urlpatterns = [
    path(ASSIGNMENT + "leaderboard/", views.leaderboard, name="leaderboard"),
    path(ASSIGNMENT + "leaderboard/live/", views.live, name="live"),
    path(ASSIGNMENT + "leaderboard/screen/", views.screen, name="screen"),
    path(ASSIGNMENT + "leaderboard/agents/<path:name>/", views.agent, name="agent"),
    path(ASSIGNMENT + "leaderboard.csv", views.leaderboard_csv, name="csv"),
]
