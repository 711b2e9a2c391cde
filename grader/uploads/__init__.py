"""Students' uploads: archives, their store, the output of their build."""
