"""The life of a course beyond its term: copies, archive, removal of expired data, export, import.

It knows all other apps, and none of them knows it.
"""
