"""Lost points of a play: how many, in which turn, to what, with which card.

Each game classifies its own losses (``Game.losses``). Where most points win, they add up to the
difference from the best score; where fewest points win, to the score.
"""

from typing import NamedTuple

__all__ = ["Loss"]


class Loss(NamedTuple):
    """Some points that a seat lost at once."""

    cause: str
    """A key of the game's ``loss_causes``."""
    points: int
    turn: int
    """The action that lost them; the last action for points that were never won."""
    place: int
    """The place in the game: the turn, or the game's own ``loss_place``."""
    card: str = ""
    """The card in words; empty if no single card caused the loss."""
    words: str = ""
    """A sentence of its own that says what happened, without a full stop."""
