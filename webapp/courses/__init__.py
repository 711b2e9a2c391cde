"""Courses, who is in them, what they are asked to do, and with whom they do it."""
