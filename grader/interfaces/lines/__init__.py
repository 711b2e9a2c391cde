"""Programs that were written for another referee, and speak the lines which a game declares."""
