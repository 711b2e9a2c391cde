"""What can be done to submissions: accept one, and judge it by its smoke test."""

from webapp.submissions.services.uploading import accept

__all__ = ["accept"]
