"""Runs one untrusted program per seat, many games a container; knows no games and no queues."""
