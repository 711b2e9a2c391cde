"""Plays agents with the methods ``action`` and ``update``: what runs in a sandbox."""
