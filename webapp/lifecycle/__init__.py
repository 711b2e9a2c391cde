"""The life of a course beyond its term: copies, the archive, what is thrown away, export, import.

It knows all other apps, and none of them knows it.
"""
