"""Agents of the University of Western Australia, in Java."""
