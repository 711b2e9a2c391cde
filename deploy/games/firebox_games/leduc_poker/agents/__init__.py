"""House agents for Leduc poker, weakest first."""

NAMES = {"values": "bets what its cards are worth, and bluffs now and then"}
CHARACTERS = {"values": ("Val", "who bets good cards and bluffs now and then")}
