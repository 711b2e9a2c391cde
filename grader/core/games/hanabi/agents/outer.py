"""Outer, after H. Osawa, *Solving Hanabi* (AAAI workshop 2015): certain of what it does.

It keeps to what hints have made certain, and hints at anything new when nothing better is to say.
"""

from ._rules import (
    RuleAgent,
    discard_useless,
    hint_playable_to_next,
    hint_unknown_to_next,
    play_certain,
)


class Outer(RuleAgent):
    """Plays and discards only what is certain; discards at random when out of ideas."""

    rules = (play_certain, discard_useless, hint_playable_to_next, hint_unknown_to_next)
