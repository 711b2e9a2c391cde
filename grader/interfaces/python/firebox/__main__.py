"""``python -m firebox DIRECTORY``: play one game over standard input and output, unconfined."""

import sys

from firebox.adapter import run

if len(sys.argv) != 2:
    sys.exit("usage: python -m firebox DIRECTORY\n\nDIRECTORY holds the agent's agent.py.")
run(None, sys.argv[1], 0, 1)
