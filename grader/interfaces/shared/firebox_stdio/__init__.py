"""Runs programs that speak the protocol over their own standard input and output.

Nothing here reads or writes a message: the program has descriptors 0 and 1 to itself.
"""
