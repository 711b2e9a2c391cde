"""Work that goes through several apps: reports, undoing, mail, metrics, archives, platforms."""
