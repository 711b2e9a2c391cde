"""Changes to evaluations. Permissions are checked where a person asks (``staff``)."""

from webapp.grading.evaluations.services.grading import go_on_grading, start_grading
from webapp.grading.evaluations.services.requests import (
    request_evaluation,
    request_practice,
    request_smoke_test,
)
from webapp.grading.evaluations.services.staff import (
    cancel,
    grade_team,
    request_house,
    requeue,
)
