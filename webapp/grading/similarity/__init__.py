"""Similar sources: where two teams' programs have passages in common. A place to look, no more."""
