"""A course's list of people from a file: read, recognised, compared with the enrolments.

``reading`` and ``formats`` are pure; ``planning`` reads the database; ``services.roster`` writes.
"""
