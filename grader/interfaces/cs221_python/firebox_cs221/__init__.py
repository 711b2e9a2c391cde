"""Agents written against the Hanabi simulator of Lin and Xu, played beside the sandbox's pipes.

``simulator`` has the types that such agents see and ``util`` what they may import besides; ``seat``
turns the wire's messages into calls of an agent, ``adapter`` is the process around it. A submission
is any files with exactly one class that has ``getAction`` (``agent_class``), in Python 3, or in
Python 2, which ``translate`` puts into Python 3 when the submission is built (``building``).
"""
