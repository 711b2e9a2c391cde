"""House agents for Othello, weakest first."""

NAMES = {"corners": "takes corners, keeps away from the squares beside them, and counts moves"}
CHARACTERS = {"corners": ("Cornelia", "who plays for the corners")}
