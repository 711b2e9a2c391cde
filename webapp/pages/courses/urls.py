"""Addresses of courses, assignments and teams."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT, COURSE
from webapp.pages.courses import (
    assignment_views,
    chosen_views,
    dates_views,
    game_views,
    import_views,
    instructor_views,
    people_views,
    team_views,
    views,
)

app_name = "courses"

urlpatterns = [
    path("join/", views.join, name="join"),
    path("new-course/", views.new_course, name="new_course"),
    path(COURSE, views.course, name="course"),
    path(COURSE + "edit/", views.edit_course, name="edit_course"),
    path(COURSE + "announcements/", views.announcements, name="announcements"),
    path(COURSE + "announcements/new/", views.new_announcement, name="new_announcement"),
    path(
        COURSE + "announcements/<int:pk>/delete/",
        views.delete_announcement,
        name="delete_announcement",
    ),
    path(COURSE + "people/", people_views.people, name="people"),
    path(COURSE + "people/<int:enrolment>/", dates_views.person_page, name="person"),
    path(COURSE + "people/change/", people_views.change_people, name="change_people"),
    path(COURSE + "people/import/", import_views.import_people, name="import_people"),
    path(
        COURSE + "people/<int:enrolment>/sections/",
        people_views.set_looks_after,
        name="set_looks_after",
    ),
    path(COURSE + "people/<int:enrolment>/role/", people_views.set_role, name="set_role"),
    path(
        COURSE + "people/<int:enrolment>/correct/",
        people_views.correct_person,
        name="correct_person",
    ),
    path(COURSE + "people/<int:enrolment>/section/", people_views.set_section, name="set_section"),
    path(COURSE + "people/<int:enrolment>/number/", people_views.set_number, name="set_number"),
    path(COURSE + "sections/", views.new_section, name="new_section"),
    path(COURSE + "sections/<int:pk>/", views.edit_section, name="edit_section"),
    path(COURSE + "sections/<int:pk>/delete/", views.delete_section, name="delete_section"),
    path(COURSE + "invite-code/", people_views.renew_invite_code, name="renew_invite_code"),
    path(COURSE + "games/", game_views.games, name="games"),
    path(COURSE + "games/<slug:folder>/", game_views.game, name="game"),
    path(COURSE + "games/<slug:folder>/check/", game_views.check_game, name="check_game"),
    path(COURSE + "new-assignment/", instructor_views.new_assignment, name="new_assignment"),
    path(ASSIGNMENT, assignment_views.assignment, name="assignment"),
    path(ASSIGNMENT + "upload/", assignment_views.upload, name="upload"),
    path(ASSIGNMENT + "submissions/", assignment_views.submissions_live, name="submissions"),
    path(ASSIGNMENT + "dates/", dates_views.dates, name="dates"),
    path(ASSIGNMENT + "dates/<int:enrolment>/", dates_views.student_dates, name="student_dates"),
    path(ASSIGNMENT + "sections/", dates_views.section_dates, name="section_dates"),
    path(ASSIGNMENT + "edit/", instructor_views.edit_assignment, name="edit_assignment"),
    path(
        ASSIGNMENT + "leaderboard/visibility/",
        instructor_views.set_leaderboard,
        name="set_leaderboard",
    ),
    path(
        ASSIGNMENT + "leaderboard/lines/",
        instructor_views.set_board_lines,
        name="set_board_lines",
    ),
    path(ASSIGNMENT + "reveal/confirm/", instructor_views.confirm_reveal, name="confirm_reveal"),
    path(ASSIGNMENT + "reveal/", instructor_views.reveal_secret, name="reveal_secret"),
    path(ASSIGNMENT + "starter-kit/", assignment_views.starter_kit, name="starter_kit"),
    path(
        ASSIGNMENT + "starter-kit/<slug:interface>/",
        assignment_views.starter_kit,
        name="starter_kit",
    ),
    path(ASSIGNMENT + "teams/<int:team>/extension/", team_views.extension, name="extension"),
    path(ASSIGNMENT + "teams/extensions/", chosen_views.extensions, name="extensions"),
    path(ASSIGNMENT + "teams/section/", chosen_views.into_section, name="move_teams"),
    path(ASSIGNMENT + "teams/remind/", chosen_views.remind_chosen, name="remind"),
    path(ASSIGNMENT + "teams/move/", team_views.move_student, name="move_student"),
    path(ASSIGNMENT + "team/", team_views.start_team, name="start_team"),
    path(ASSIGNMENT + "team/join/", team_views.join_team, name="join_team"),
    path(ASSIGNMENT + "team/rename/", team_views.rename_team, name="rename_team"),
]
