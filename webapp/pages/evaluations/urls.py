"""Addresses of evaluations and their games."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.evaluations import game_views, staff_views, views
from webapp.pages.game_pages import game_paths
from webapp.pages.live_games import watch_paths

app_name = "evaluations"

ONE = "evaluations/<uuid:uuid>/"
GAME = ONE + "games/<int:index>/"

urlpatterns = [
    path(ONE, views.evaluation, name="evaluation"),
    path(ONE + "live/", views.live, name="live"),
    path(ONE + "export/", views.export, name="export"),
    path(ONE + "requeue/", views.requeue, name="requeue"),
    path(ONE + "cancel/", views.cancel, name="cancel"),
    path(ONE + "flags/", views.flags, name="flags"),
    *watch_paths(ONE, game_views.watched),
    path(ONE + "games/", views.games, name="games"),
    *game_paths(GAME, game_views.EvaluationGamePage),
    path(GAME + "beside/", game_views.choose_beside, name="choose_beside"),
    path(GAME + "beside/<uuid:other>/", game_views.beside, name="beside"),
    path(ASSIGNMENT + "compare/", views.compare, name="compare"),
    path(ASSIGNMENT + "teams/", staff_views.staff, name="staff"),
    path(ASSIGNMENT + "teams/live/", staff_views.staff_live, name="staff_live"),
    path(ASSIGNMENT + "grade/confirm/", staff_views.confirm, name="confirm"),
    path(ASSIGNMENT + "grade/", staff_views.grade, name="grade"),
    path(ASSIGNMENT + "grade/again/", staff_views.grade_again, name="grade_again"),
    path(ASSIGNMENT + "house/", staff_views.play_house, name="play_house"),
]
