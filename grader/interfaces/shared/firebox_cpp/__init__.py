"""Runs agents written in C++: a shared object in the seat's own process. Standard library only."""
