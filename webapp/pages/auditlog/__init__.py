"""The audit log: of a course for its instructors, of the site for operators."""
