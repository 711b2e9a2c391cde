"""The house agent that plays every game."""

NAMES = {"random_legal": "any legal action, each as likely as the others"}
CHARACTERS = {"random_legal": ("Randy", "who plays without a plan")}
