"""Changes to submissions: check and record an upload, and record the result of its build."""

from webapp.submissions.services.builds import accept_build, message_of, reject_build
from webapp.submissions.services.uploading import (
    File,
    Upload,
    check_upload,
    check_upload_from,
    record_upload,
)

__all__ = [
    "File",
    "Upload",
    "accept_build",
    "check_upload",
    "check_upload_from",
    "message_of",
    "record_upload",
    "reject_build",
]
