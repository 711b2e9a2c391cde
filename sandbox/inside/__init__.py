"""Code that runs in a sandbox's container as PID 1: trusted, on the standard library alone."""
