"""Students' uploads: archives, where they are stored, what their build wrote."""
