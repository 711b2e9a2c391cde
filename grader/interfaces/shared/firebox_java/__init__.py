"""Runs agents written in Java: a virtual machine in the seat's own process. Standard library only.

The process is Python's at first, forked from the supervisor and confined like every agent's; the
virtual machine is loaded into it as a library, before the system-call filter, so that its own
threads exist and no others can be started. ``sandbox/images/java/boot`` is the Java half.
"""
