"""What agents are written against: per interface, the code that runs beside the student's.

``python/firebox`` is the package that Python agents import as ``firebox``. It runs inside the
sandbox and is untrusted there: it must never be imported by the grader to decide anything.
"""
