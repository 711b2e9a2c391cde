"""Pages that learning platforms open, and pages on the points that they are sent."""
