"""Who stands where. Nothing is stored here: standings are derived from evaluations each time."""
