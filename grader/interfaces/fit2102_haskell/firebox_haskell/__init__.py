"""Runs agents written in Haskell: a shared object in the seat's own process. Standard library only.

The supervisor loads the language's libraries once; each seat's process starts the runtime.
"""
