"""The guide: pages for students and instructors, whose tables and examples come from the code."""
