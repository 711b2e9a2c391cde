"""Courses, their people, assignments and teams."""
