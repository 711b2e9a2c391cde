"""Runs a program in C++, which speaks the protocol by itself. Standard library only."""
