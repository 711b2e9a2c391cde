"""Pictures for a terminal: a firework for each number of points of a colour, and a misplay."""

fireworks = (
    "\n\n\n",
    "\n\n .\n",
    "\n .\n.*.\n",
    " .\n.*.\n '\n",
    "\\|/\n-*-\n/|\\\n",
    "\\ | /\n- *** -\n/ | \\\n",
)
kaboom = " \\ | /\n- KABOOM -\n / | \\\n"
