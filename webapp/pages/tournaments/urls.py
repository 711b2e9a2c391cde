"""Addresses of tournaments."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.tournaments import staff_views, views

app_name = "tournaments"

ONE = "tournaments/<uuid:uuid>/"
ALL = ASSIGNMENT + "tournaments/"

urlpatterns = [
    path(ALL, views.tournaments, name="tournaments"),
    path(ALL + "new/", staff_views.new, name="new"),
    path(ALL + "agents/<path:name>/", views.agent, name="agent"),
    path(ONE, views.tournament, name="tournament"),
    path(ONE + "live/", views.live, name="live"),
    path(ONE + "participants/<int:number>/", views.participant, name="participant"),
    path(ONE + "participants/<int:number>/exclude/", staff_views.exclude, name="exclude"),
    path(ONE + "watch/", views.watch, name="watch"),
    path(ONE + "watch/next/", views.watch_next, name="watch_next"),
    path(ONE + "games/", views.games, name="games"),
    path(ONE + "games/<int:pk>/", views.game, name="game"),
    path(ONE + "games/<int:pk>/elsewhere/", views.elsewhere, name="elsewhere"),
    path(ONE + "games/<int:pk>/record/", views.record, name="record"),
    path(ONE + "export/", views.export, name="export"),
    path(ONE + "<slug:table>.csv", views.csv, name="csv"),
    path(ONE + "cancel/", staff_views.cancel, name="cancel"),
    path(ONE + "resume/", staff_views.resume, name="resume"),
    path(ONE + "release/", staff_views.release, name="release"),
]
