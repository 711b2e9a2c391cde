"""Changes to points: from games, by hand, and on request."""

from webapp.gradebook.services.grading import (
    Move,
    apply_lateness,
    preview_scheme,
    record_grade,
    regrade,
)
from webapp.gradebook.services.manual import restore_points, set_points
from webapp.gradebook.services.regrades import answer_regrade, ask_regrade

__all__ = [
    "Move",
    "answer_regrade",
    "apply_lateness",
    "ask_regrade",
    "preview_scheme",
    "record_grade",
    "regrade",
    "restore_points",
    "set_points",
]
