"""Evaluations: N games of one agent, sent to graders in batches and recorded game by game."""
