"""The games of OpenSpiel as games of Firebox: ``openspiel:othello``, ``openspiel:leduc_poker``.

https://github.com/google-deepmind/open_spiel has the rules. What lies here is the bridge: numbers
of actions, texts and tensors of observations are OpenSpiel's; deals, records and grading are
Firebox's. Chance nodes are drawn from the deal's seed, and games without chance get openings.
"""

from firebox_openspiel.games import GAMES, REFUSED

__all__ = ["GAMES", "REFUSED"]
