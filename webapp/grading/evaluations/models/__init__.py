"""The models of this app, one file a subject."""

from webapp.grading.evaluations.models.audit import Audit, AuditRun, AuditStatus
from webapp.grading.evaluations.models.draft import Draft
from webapp.grading.evaluations.models.evaluation import Evaluation, Kind, Verdict
from webapp.grading.evaluations.models.grading_run import GradingRun
from webapp.grading.evaluations.models.result import STOPPED, GameResult, StoredGame, columns_of
from webapp.grading.jobs.runs import Status
