"""Pages on which people play with agents."""
