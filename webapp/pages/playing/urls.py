"""Addresses of games with agents."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.playing.views import (
    CourseGame,
    VisitorGame,
    game_paths,
    new,
    play_on,
    record,
    visitor_new,
)

app_name = "playing"

urlpatterns = [
    path(ASSIGNMENT + "play/", new, name="new"),
    *game_paths("play/<uuid:uuid>/", CourseGame),
    path("play/<uuid:uuid>/on/", play_on, name="play_on"),
    path("play/<uuid:uuid>/record/", record, name="record"),
    path("play/", visitor_new, name="visitor_new"),
    *game_paths("play/table/", VisitorGame),
]
