"""Addresses of evaluations and their games."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.evaluations import pair_views, staff_views, views, watch_views

app_name = "evaluations"

ONE = "evaluations/<uuid:uuid>/"

urlpatterns = [
    path(ONE, views.evaluation, name="evaluation"),
    path(ONE + "live/", views.live, name="live"),
    path(ONE + "export/", views.export, name="export"),
    path(ONE + "requeue/", views.requeue, name="requeue"),
    path(ONE + "cancel/", views.cancel, name="cancel"),
    path(ONE + "flags/", views.flags, name="flags"),
    path(ONE + "watch/", watch_views.watch, name="watch"),
    path(ONE + "watch/next/", watch_views.watch_next, name="watch_next"),
    path(ONE + "games/", views.games, name="games"),
    path(ONE + "games/<int:index>/", views.game, name="game"),
    path(ONE + "games/<int:index>/beside/", pair_views.choose, name="choose_beside"),
    path(ONE + "games/<int:index>/beside/<uuid:other>/", pair_views.beside, name="beside"),
    path(ONE + "games/<int:index>/elsewhere/", views.elsewhere, name="elsewhere"),
    path(ONE + "games/<int:index>/record/", views.record, name="record"),
    path(ASSIGNMENT + "compare/", views.compare, name="compare"),
    path(ASSIGNMENT + "teams/", staff_views.staff, name="staff"),
    path(ASSIGNMENT + "teams/live/", staff_views.staff_live, name="staff_live"),
    path(ASSIGNMENT + "grade/confirm/", staff_views.confirm, name="confirm"),
    path(ASSIGNMENT + "grade/", staff_views.grade, name="grade"),
    path(ASSIGNMENT + "house/", staff_views.play_house, name="play_house"),
]
