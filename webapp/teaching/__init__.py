"""Courses: assignments, teams, dates, people, announcements."""
