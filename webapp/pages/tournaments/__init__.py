"""Tournaments and their games."""
