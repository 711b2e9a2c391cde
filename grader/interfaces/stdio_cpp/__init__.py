"""C++ programs over standard input and output."""
