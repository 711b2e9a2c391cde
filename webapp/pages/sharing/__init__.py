"""Pages of public links: making one, taking it back, the game for anybody, its preview."""
