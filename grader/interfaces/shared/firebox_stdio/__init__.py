"""Runs programs that speak the protocol by themselves, over their own standard input and output.

Standard library only. Nothing here reads or writes a message: descriptors 0 and 1 are the game's,
and the program has them to itself.
"""
