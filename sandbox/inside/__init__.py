"""Code that runs in a seat's container as PID 1: trusted, on the standard library alone."""
