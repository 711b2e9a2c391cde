"""Piers (Walton-Rivers et al. 2017): IGGI that takes a risk while it has a life to spare."""

from ._rules import (
    RuleAgent,
    at_the_end,
    discard_oldest,
    discard_useless,
    hint_playable,
    play_certain,
    play_likely,
)


class Piers(RuleAgent):
    """Also plays what fits with probability 0.6, and anything possible once the deck is empty."""

    rules = (
        play_certain,
        at_the_end(play_likely(0.01)),
        play_likely(0.6),
        hint_playable,
        discard_useless,
        discard_oldest,
    )
