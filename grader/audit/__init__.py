"""The replay audit: its rule, its messages, and their texts for people. Pure."""

from grader.audit.records import (
    Attempt,
    AuditCause,
    AuditedGame,
    AuditEvidence,
    AuditReport,
    AuditRequest,
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
    "AuditCause",
    "AuditEvidence",
    "AuditReport",
    "AuditRequest",
    "AuditedGame",
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
