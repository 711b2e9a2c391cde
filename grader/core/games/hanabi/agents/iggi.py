"""IGGI (Walton-Rivers et al. 2017): a plain, reliable partner that never risks a life."""

from ._rules import RuleAgent, discard_oldest, discard_useless, hint_playable, play_certain


class Iggi(RuleAgent):
    """Plays a card that must fit, else hints at one that fits, else discards its oldest card."""

    rules = (play_certain, hint_playable, discard_useless, discard_oldest)
