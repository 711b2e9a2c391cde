"""Addresses of the gradebook."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT, COURSE
from webapp.pages.gradebook import (
    course_views,
    listed_views,
    regrade_views,
    release_views,
    student_views,
    total_views,
    views,
)

app_name = "gradebook"

urlpatterns = [
    path(ASSIGNMENT + "grades/", views.grades, name="grades"),
    path(ASSIGNMENT + "grades.csv", views.grades_csv, name="csv"),
    path(ASSIGNMENT + "grades/release/", release_views.release, name="release"),
    path(ASSIGNMENT + "grades/hold/", release_views.hold, name="hold"),
    path(ASSIGNMENT + "grades/<int:enrolment>/", student_views.student, name="student"),
    path(ASSIGNMENT + "my-grade/", student_views.own, name="own"),
    path(
        ASSIGNMENT + "grades/export/<slug:system>/",
        course_views.assignment_export,
        name="assignment_export",
    ),
    path(ASSIGNMENT + "grades/listed/", listed_views.listed_assignment, name="listed_assignment"),
    path(ASSIGNMENT + "grades/worksheet/", course_views.fill_worksheet, name="fill_worksheet"),
    path(COURSE + "my-grades/", total_views.own_course, name="own_course"),
    path(COURSE + "grades/", course_views.course_grades, name="course"),
    path(COURSE + "grades/listed/", listed_views.listed_course, name="listed_course"),
    path(COURSE + "grades/<slug:system>/", course_views.course_export, name="course_export"),
    path(COURSE + "regrades/", regrade_views.regrades, name="regrades"),
    path(COURSE + "regrades/<int:pk>/", regrade_views.regrade, name="regrade"),
]
