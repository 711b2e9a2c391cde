"""Agents written against the Hanabi simulator of Lin and Xu, in Python 3 or 2."""
