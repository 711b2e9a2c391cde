"""Pages on the life of courses: copies, archive, retention, export, import, deletion."""
