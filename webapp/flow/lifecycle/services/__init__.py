"""Changes to the life of courses and people. One file a subject."""
