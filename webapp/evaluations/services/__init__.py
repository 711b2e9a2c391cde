"""What can be done to evaluations. Permissions are checked where a person asks (``staff``)."""

from webapp.evaluations.services.audits import record_audit, resend_expired_audits
from webapp.evaluations.services.claims import admit_graders
from webapp.evaluations.services.leases import resend_expired_batches
from webapp.evaluations.services.recording import record_batch
from webapp.evaluations.services.requests import (
    request_evaluation,
    request_practice,
    request_smoke_test,
)
from webapp.evaluations.services.staff import (
    Started,
    cancel,
    grade_all,
    grade_team,
    request_house,
    requeue,
)

__all__ = [
    "Started",
    "admit_graders",
    "cancel",
    "grade_all",
    "grade_team",
    "record_audit",
    "record_batch",
    "request_evaluation",
    "request_house",
    "request_practice",
    "request_smoke_test",
    "requeue",
    "resend_expired_audits",
    "resend_expired_batches",
]
