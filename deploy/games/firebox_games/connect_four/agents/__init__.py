"""House agents for Connect Four, weakest first."""

NAMES = {"four_ahead": "looks four moves ahead, and prefers the middle"}
CHARACTERS = {"four_ahead": ("Fay", "who looks four moves ahead")}
