"""Addresses of games with agents."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.playing.views import CourseGame, VisitorGame, game_paths, new, visitor_new

app_name = "playing"

urlpatterns = [
    path(ASSIGNMENT + "play/", new, name="new"),
    *game_paths("play/<uuid:uuid>/", CourseGame),
    path("play/", visitor_new, name="visitor_new"),
    *game_paths("play/table/", VisitorGame),
]
