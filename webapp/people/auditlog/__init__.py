"""The audit log: acts of staff and changes of grades, written by services, never changed.

Not to be confused with replay audits of graded games (``webapp.grading.evaluations``).
"""
