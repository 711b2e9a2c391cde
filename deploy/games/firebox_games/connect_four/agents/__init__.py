"""House agents for Connect Four, weakest first.

Against ``random_legal``, from both seats, ``four_ahead`` wins all of 300 games.
"""

NAMES = {"four_ahead": "looks four moves ahead, and prefers the middle"}
CHARACTERS = {"four_ahead": ("Fay", "who looks four moves ahead")}
