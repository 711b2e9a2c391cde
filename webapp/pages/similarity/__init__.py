"""Pages of similar sources."""
