"""One game, and every value that crosses processes. Pure: no clock, no I/O, no framework."""
