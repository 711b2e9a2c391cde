"""An experiment on the turn clock: who gets a timeout on a loaded host, and who should."""
