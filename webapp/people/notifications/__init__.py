"""E-mail about what happens in a course: queued with the change itself, sent by a worker."""
