"""How the addresses of a course and of an assignment begin, for the pages of all subjects."""

from typing import Final

COURSE: Final = "courses/<slug:course>/"
ASSIGNMENT: Final = COURSE + "assignments/<slug:assignment>/"
