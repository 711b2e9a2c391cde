"""Shared code for agents that are compiled to machine code. Standard library only."""
