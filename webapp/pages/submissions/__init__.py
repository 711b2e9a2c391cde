"""One submission and how far it has come."""
