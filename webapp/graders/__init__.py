"""Which grading machines the site believes."""
