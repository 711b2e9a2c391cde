"""How the addresses of a course and of an assignment begin, for the pages of all subjects."""

from typing import Final

COURSE: Final = "courses/<slug:course_slug>/"
ASSIGNMENT: Final = COURSE + "assignments/<slug:assignment_slug>/"
