"""Courses, assignments, uploads, teams."""
