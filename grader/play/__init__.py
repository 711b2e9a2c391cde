"""Plays games: builds agents, opens their sandboxes, runs a batch of games."""
