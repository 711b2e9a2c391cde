"""Games at tables: the code that tournaments and ladders share. It has no models of its own."""
