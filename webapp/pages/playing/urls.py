"""Addresses of games with agents."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.playing import views

app_name = "playing"

ONE = "play/<uuid:uuid>/"

urlpatterns = [
    path(ASSIGNMENT + "play/", views.new, name="new"),
    path(ONE, views.game, name="game"),
    path(ONE + "turns/", views.turns, name="turns"),
    path(ONE + "move/", views.move, name="move"),
    path(ONE + "leave/", views.leave, name="leave"),
    path(ONE + "again/", views.again, name="again"),
]
