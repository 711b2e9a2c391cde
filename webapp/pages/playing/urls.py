"""Addresses of games with agents."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.playing import views, visitor_views

app_name = "playing"

ONE = "play/<uuid:uuid>/"
VISITORS = "play/table/"

urlpatterns = [
    path(ASSIGNMENT + "play/", views.new, name="new"),
    path(ONE, views.game, name="game"),
    path(ONE + "turns/", views.turns, name="turns"),
    path(ONE + "move/", views.move, name="move"),
    path(ONE + "leave/", views.leave, name="leave"),
    path(ONE + "again/", views.again, name="again"),
    path("play/", visitor_views.new, name="visitor_new"),
    path(VISITORS, visitor_views.game, name="visitor_game"),
    path(VISITORS + "turns/", visitor_views.turns, name="visitor_turns"),
    path(VISITORS + "move/", visitor_views.move, name="visitor_move"),
    path(VISITORS + "leave/", visitor_views.leave, name="visitor_leave"),
    path(VISITORS + "again/", visitor_views.again, name="visitor_again"),
]
