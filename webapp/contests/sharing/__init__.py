"""Public links to games: anybody with the link can open the game, without an account."""
