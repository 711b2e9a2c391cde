"""Lost points of a play: how many, in which turn, to what, with which card.

Each game sorts its own losses (``Game.losses``). Where many points win they add up to what the best
score has more; where few points win, to the score.
"""

from typing import NamedTuple

__all__ = ["Loss"]


class Loss(NamedTuple):
    """Some points that a seat lost at once."""

    cause: str
    """A key of the game's ``loss_causes``."""
    points: int
    turn: int
    """The action that lost them; the last one for what was never won."""
    place: int
    """Where in the game: the turn, or whatever the game's ``loss_place`` is."""
    card: str = ""
    """In words; empty if it was no certain card."""
    words: str = ""
    """A sentence of its own that says what happened, without a full stop."""
