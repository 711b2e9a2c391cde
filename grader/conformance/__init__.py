"""Checks that every game passes: of its rules, of its deals, and of what people see.

A check takes a ``Trial`` of a game and yields sentences on what does not hold.
"""

from grader.conformance import actions, graded, rules, scenes, secrecy
from grader.conformance.trial import Check, Finding, Level, Trial, every_game, findings

__all__ = ["CHECKS", "Check", "Finding", "Level", "Trial", "every_game", "findings"]

CHECKS: tuple[Check, ...] = (
    *rules.CHECKS,
    *actions.CHECKS,
    *graded.CHECKS,
    *secrecy.CHECKS,
    *scenes.CHECKS,
)
"""All checks that need no other process, by level."""
