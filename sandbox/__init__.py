"""Runs one untrusted program per seat, many games a container; knows no games and no queues.

``README.md`` begins with an example. To import this package must not import Docker.
"""
