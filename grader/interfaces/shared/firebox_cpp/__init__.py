"""Runs agents written in C++: a shared object in the seat's own process. Standard library only.

The object is made in a builder (``compiler``), from an interface's adapter, the student's headers
and ``faults.cpp``, which explains faults. To play, the seat's process, forked from the supervisor
and confined like every agent's, loads it (``library``), and
``firebox_native.seat`` speaks the protocol for it.
"""
