"""Changes to points: from games, by hand, and on request."""

from webapp.grading.gradebook.services.grading import (
    Move,
    apply_lateness,
    preview_scheme,
    record_grade,
    regrade,
)
from webapp.grading.gradebook.services.manual import restore_points, set_points
from webapp.grading.gradebook.services.regrades import answer_regrade, ask_regrade
from webapp.grading.gradebook.services.reminding import Reminder, remind, reminder_of
