"""Addresses of evaluations and their games."""

from django.urls import path

from webapp.courses.urls import ASSIGNMENT
from webapp.evaluations import views

app_name = "evaluations"

ONE = "evaluations/<uuid:uuid>/"

urlpatterns = [
    path(ONE, views.evaluation, name="evaluation"),
    path(ONE + "live/", views.live, name="live"),
    path(ONE + "export/", views.export, name="export"),
    path(ONE + "requeue/", views.requeue, name="requeue"),
    path(ONE + "cancel/", views.cancel, name="cancel"),
    path(ONE + "games/", views.games, name="games"),
    path(ONE + "games/<int:index>/", views.game, name="game"),
    path(ONE + "games/<int:index>/record/", views.record, name="record"),
    path(ASSIGNMENT + "compare/", views.compare, name="compare"),
    path(ASSIGNMENT + "teams/", views.staff, name="staff"),
    path(ASSIGNMENT + "teams/live/", views.staff_live, name="staff_live"),
    path(ASSIGNMENT + "grade/confirm/", views.confirm, name="confirm"),
    path(ASSIGNMENT + "grade/", views.grade, name="grade"),
    path(ASSIGNMENT + "house/", views.play_house, name="play_house"),
]
