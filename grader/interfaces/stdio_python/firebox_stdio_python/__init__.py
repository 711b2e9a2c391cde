"""Runs a program in Python, which speaks the protocol by itself. Standard library only."""
