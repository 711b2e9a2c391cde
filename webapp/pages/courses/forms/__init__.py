"""The forms of this app, one file a subject."""
