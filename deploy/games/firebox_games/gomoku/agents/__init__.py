"""House agents for Gomoku, weakest first."""

NAMES = {"lines": "makes and stops lines, the longest first"}
CHARACTERS = {"lines": ("Lin", "who builds lines and blocks yours")}
