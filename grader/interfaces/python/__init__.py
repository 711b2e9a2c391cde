"""Firebox's own class, in Python."""
