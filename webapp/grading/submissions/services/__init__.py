"""Changes to submissions: check and record an upload, note its build, choose one to count."""

from webapp.grading.submissions.services.builds import (
    accept_build,
    message_of,
    messages_of,
    reject_build,
)
from webapp.grading.submissions.services.own_choice import choose_submission
from webapp.grading.submissions.services.uploading import (
    File,
    Upload,
    check_try_from,
    check_upload,
    check_upload_from,
    read_file,
    record_upload,
    upload_limits,
)
