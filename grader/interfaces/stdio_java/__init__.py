"""Java programs over standard input and output."""
