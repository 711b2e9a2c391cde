"""Work that goes through several rooms: reports, undoing, mail, metrics, archives, platforms."""
