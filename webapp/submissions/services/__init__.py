"""What can be done to submissions: accept one, and judge it by its smoke test."""

from webapp.submissions.services.uploading import accept, accept_from

__all__ = ["accept", "accept_from"]
