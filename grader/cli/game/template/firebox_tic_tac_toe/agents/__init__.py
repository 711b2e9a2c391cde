"""House agents of Tic-tac-toe: each is a module with a class of its name."""

NAMES = {"lines": "completes a line, or blocks one, or takes the place with most lines"}
"""A line about each, weakest first. ``random_legal`` is there by itself, and is the weakest."""
CHARACTERS = {"lines": ("Lina", "who looks one move ahead")}
"""Names for people."""
