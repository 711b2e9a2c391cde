"""``python -m firebox DIRECTORY``: play one game over standard input and output, unconfined."""

import sys
from pathlib import Path

from firebox.adapter import run

USAGE = """\
usage: python -m firebox DIRECTORY

Plays one game with the agent.py in DIRECTORY: messages are read from standard input, a line each,
and answered on standard output. For people: python test_agent.py, or firebox play DIRECTORY."""

if sys.argv[1:] in (["-h"], ["--help"]):
    print(USAGE)
    sys.exit()
if len(sys.argv) != 2:
    sys.exit(USAGE)
if not Path(sys.argv[1]).is_dir():
    sys.exit(f"{sys.argv[1]} is no folder\n\n{USAGE}")
run(None, sys.argv[1], 0, 1)
