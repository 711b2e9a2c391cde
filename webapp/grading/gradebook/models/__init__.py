"""The models of this app, one file a subject."""

from webapp.grading.gradebook.models.grade import Grade
from webapp.grading.gradebook.models.manual import ManualPoints
from webapp.grading.gradebook.models.regrade import Outcome, RegradeRequest

__all__ = ["Grade", "ManualPoints", "Outcome", "RegradeRequest"]
