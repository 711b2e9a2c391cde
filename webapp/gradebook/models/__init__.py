"""The models of this app, one file a subject."""

from webapp.gradebook.models.grade import Grade
from webapp.gradebook.models.manual import ManualPoints
from webapp.gradebook.models.regrade import Outcome, RegradeRequest

__all__ = ["Grade", "ManualPoints", "Outcome", "RegradeRequest"]
