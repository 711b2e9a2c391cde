"""Agents as courses write them that invent a game each year: ``action`` and ``update``."""
