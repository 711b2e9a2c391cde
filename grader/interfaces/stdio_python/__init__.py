"""Python programs over standard input and output."""
