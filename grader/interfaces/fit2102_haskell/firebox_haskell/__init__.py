"""Runs agents written in Haskell: a shared object in the seat's own process. Standard library only.

The object is made in a builder (``compiler``) by GHC, from the course's modules, the adapter and
the student's modules. To play, the supervisor loads the libraries of the language once
(``runtime``); a seat's process, forked from it and confined like every agent's, loads the object,
starts the runtime in it, which takes less than a millisecond, and ``firebox_native.seat`` speaks
the protocol for it.
"""
