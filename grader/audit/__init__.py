"""The replay audit: its rule, its messages, and their texts for people. Pure."""

from grader.audit.records import (
    Attempt,
    AuditedGame,
    AuditEvidence,
    AuditReport,
    AuditRequest,
    Cause,
    Conclusion,
    Pace,
    SeatAudit,
)
from grader.audit.rule import (
    RunEnd,
    RunOrder,
    Script,
    audit_seat,
    left_out,
    pauses_us,
    sample,
    script_of,
)

__all__ = [
    "Attempt",
    "AuditEvidence",
    "AuditReport",
    "AuditRequest",
    "AuditedGame",
    "Cause",
    "Conclusion",
    "Pace",
    "RunEnd",
    "RunOrder",
    "Script",
    "SeatAudit",
    "audit_seat",
    "left_out",
    "pauses_us",
    "sample",
    "script_of",
]
