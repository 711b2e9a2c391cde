"""The models of this app, one file a subject."""

from webapp.evaluations.models.audit import Audit, AuditRun, AuditStatus
from webapp.evaluations.models.evaluation import Evaluation, Kind, Verdict
from webapp.evaluations.models.grading import GradingRun
from webapp.evaluations.models.result import STOPPED, GameResult, StoredGame, columns_of
from webapp.jobs.runs import Status

__all__ = [
    "STOPPED",
    "Audit",
    "AuditRun",
    "AuditStatus",
    "Evaluation",
    "GameResult",
    "GradingRun",
    "Kind",
    "Status",
    "StoredGame",
    "Verdict",
    "columns_of",
]
