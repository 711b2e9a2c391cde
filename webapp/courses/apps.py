"""Registers the app."""

from django.apps import AppConfig


class CoursesConfig(AppConfig):
    """Courses, assignments, teams."""

    name = "webapp.courses"
    label = "courses"
