"""What a course's staff tell everybody in it."""
