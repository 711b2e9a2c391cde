"""Contests: the code that tournaments and ladders share. Its models are abstract bases."""
