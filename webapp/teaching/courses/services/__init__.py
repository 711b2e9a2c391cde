"""Changes to courses, assignments and teams."""

from webapp.teaching.courses.services.assignments import (
    create_assignment,
    reveal_secret,
    set_board_lines,
    set_leaderboard,
    update_assignment,
)
from webapp.teaching.courses.services.correcting import correct_person
from webapp.teaching.courses.services.courses import (
    course_of_code,
    create_course,
    enrol_by_code,
    renew_invite_code,
    require_place,
    set_role,
    set_section,
    set_student_number,
    update_course,
)
from webapp.teaching.courses.services.dates import (
    accommodate,
    clear_section_dates,
    extend_all,
    extend_deadline,
    extend_student,
    set_section_dates,
)
from webapp.teaching.courses.services.inviting import invite_again
from webapp.teaching.courses.services.people import change_people, set_looks_after
from webapp.teaching.courses.services.releases import hold_grades, release_grades, take_back_release
from webapp.teaching.courses.services.roster import import_people
from webapp.teaching.courses.services.sections import create_section, delete_section, rename_section
from webapp.teaching.courses.services.teams import (
    join_team,
    move_student,
    rename_team,
    team_for,
)
