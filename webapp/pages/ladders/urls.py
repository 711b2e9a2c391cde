"""Addresses of ladders."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.game_pages import game_paths
from webapp.pages.ladders import game_views, staff_views, views

app_name = "ladders"

ONE = ASSIGNMENT + "ladder/"

urlpatterns = [
    path(ONE, views.ladder, name="ladder"),
    path(ONE + "live/", views.live, name="live"),
    path(ONE + "games/", game_views.games, name="games"),
    *game_paths(ONE + "games/<int:index>/", game_views.LadderGamePage),
    path(ONE + "open/", staff_views.open_one, name="open"),
    path(ONE + "settings/", staff_views.change, name="change"),
    path(ONE + "pause/", staff_views.pause, name="pause"),
    path(ONE + "resume/", staff_views.resume, name="resume"),
    path(ONE + "close/", staff_views.close, name="close"),
    path(ONE + "withdraw/", staff_views.withdraw, name="withdraw"),
]
