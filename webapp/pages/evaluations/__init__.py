"""Evaluations and their games; the page of a course's staff."""
