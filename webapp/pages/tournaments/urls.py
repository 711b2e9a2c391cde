"""Addresses of tournaments."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.game_pages import game_paths
from webapp.pages.live_games import watch_paths
from webapp.pages.tournaments import audit_views, game_views, screen_views, staff_views, views

app_name = "tournaments"

ONE = "tournaments/<uuid:uuid>/"
GAME = ONE + "games/<int:pk>/"
ALL = ASSIGNMENT + "tournaments/"

urlpatterns = [
    path(ALL, views.tournaments, name="tournaments"),
    path(ALL + "new/", staff_views.new, name="new"),
    path(ALL + "agents/<path:name>/", views.agent, name="agent"),
    path(ONE, views.tournament, name="tournament"),
    path(ONE + "live/", views.live, name="live"),
    path(ONE + "screen/", screen_views.screen, name="screen"),
    path(ONE + "participants/<int:number>/", views.participant, name="participant"),
    path(ONE + "participants/<int:number>/flags/", audit_views.flags, name="flags"),
    path(ONE + "participants/<int:number>/exclude/", staff_views.exclude, name="exclude"),
    *watch_paths(ONE, game_views.watched),
    path(ONE + "games/", game_views.games, name="games"),
    *game_paths(GAME, game_views.TournamentGamePage),
    path(GAME + "beside/<int:other>/", game_views.beside, name="beside"),
    path(ONE + "export/", views.export, name="export"),
    path(ONE + "<slug:table>.csv", views.csv, name="csv"),
    path(ONE + "cancel/", staff_views.cancel, name="cancel"),
    path(ONE + "resume/", staff_views.resume, name="resume"),
    path(ONE + "audit/", audit_views.start_audit, name="audit"),
    path(ONE + "audit/live/", audit_views.live, name="audit_live"),
    path(ONE + "points/", staff_views.place_points, name="points"),
    path(ONE + "release/", staff_views.release, name="release"),
]
