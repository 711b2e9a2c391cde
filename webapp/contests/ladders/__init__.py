"""Ladders: accepted submissions that keep meeting while nothing else is played."""
