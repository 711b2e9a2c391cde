"""Leaderboards. Nothing is stored here: standings are derived from evaluations each time."""
