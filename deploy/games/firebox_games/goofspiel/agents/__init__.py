"""House agents for Goofspiel, weakest first."""

NAMES = {"matching": "bids for each prize about what it is worth"}
CHARACTERS = {"matching": ("Matt", "who bids what a prize is worth")}
