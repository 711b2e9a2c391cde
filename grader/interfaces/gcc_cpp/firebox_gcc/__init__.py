"""Tells players in C++ the game as their own engine would. Standard library only."""
