"""Shared code for agents that are compiled to machine code. Standard library only.

They are made in a builder (``builder``), by a compiler that is a program of its own. To play, the
seat's process loads what was made, and speaks the protocol for it (``seat``).
"""
