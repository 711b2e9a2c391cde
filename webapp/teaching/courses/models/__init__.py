"""The models of this app, one file a subject."""

from webapp.people.auditlog.kinds import name_values
from webapp.teaching.courses.models.assignment import Assignment
from webapp.teaching.courses.models.course import (
    Course,
    Enrolment,
    EnrolmentState,
    LeaderboardVisibility,
    PlayWith,
    Role,
    Section,
    in_one_of,
)
from webapp.teaching.courses.models.dates import (
    Accommodation,
    Extension,
    GradeRelease,
    SectionDates,
)
from webapp.teaching.courses.models.game_folder import GameFolder
from webapp.teaching.courses.models.known_game import (
    KnownGame,
    find_missing,
    note_game,
    note_uploaded,
)
from webapp.teaching.courses.models.team import Membership, Team

name_values(
    {
        column.name: str(column.verbose_name)
        for model in (Course, SectionDates, Assignment)
        for column in model._meta.concrete_fields
    }
)
