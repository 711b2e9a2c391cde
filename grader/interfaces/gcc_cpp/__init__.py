"""Players of Grove City College, in C++."""
