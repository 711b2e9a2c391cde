"""Uploads: immutable, numbered within their team, and on their way to being ready."""
