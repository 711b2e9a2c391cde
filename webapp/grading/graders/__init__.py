"""The grading machines whose reports the site believes."""
