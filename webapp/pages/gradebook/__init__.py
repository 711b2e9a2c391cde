"""The gradebook, for staff."""
