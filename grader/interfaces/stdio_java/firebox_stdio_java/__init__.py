"""Runs a program in Java, which speaks the protocol by itself. Standard library only."""
