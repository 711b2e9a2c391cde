"""Announcements of a course's staff to everybody in it."""
