"""Addresses of the gradebook."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT, COURSE
from webapp.pages.gradebook import export_views, student_views, views

app_name = "gradebook"

urlpatterns = [
    path(ASSIGNMENT + "grades/", views.grades, name="grades"),
    path(ASSIGNMENT + "grades.csv", views.grades_csv, name="csv"),
    path(ASSIGNMENT + "grades/release/", views.release, name="release"),
    path(ASSIGNMENT + "grades/hold/", views.hold, name="hold"),
    path(ASSIGNMENT + "grades/<int:enrolment>/", student_views.student, name="student"),
    path(ASSIGNMENT + "my-grade/", student_views.own, name="own"),
    path(
        ASSIGNMENT + "grades/export/<slug:system>/",
        export_views.export,
        name="assignment_export",
    ),
    path(ASSIGNMENT + "grades/listed/", export_views.listed, name="listed_assignment"),
    path(ASSIGNMENT + "grades/worksheet/", export_views.fill_worksheet, name="fill_worksheet"),
    path(COURSE + "my-grades/", views.own_course, name="own_course"),
    path(COURSE + "grades/", views.course_grades, name="course"),
    path(COURSE + "grades/listed/", export_views.listed, name="listed_course"),
    path(COURSE + "grades/<slug:system>/", export_views.export, name="course_export"),
    path(COURSE + "regrades/", views.regrades, name="regrades"),
    path(COURSE + "regrades/<int:pk>/", views.regrade, name="regrade"),
]
