"""Addresses of the life of courses."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT, COURSE
from webapp.pages.lifecycle import views

app_name = "lifecycle"

urlpatterns = [
    path(COURSE + "life/", views.life, name="life"),
    path(COURSE + "life/archive/", views.archive, name="archive"),
    path(COURSE + "life/reopen/", views.reopen, name="reopen"),
    path(COURSE + "life/retention/", views.retention, name="retention"),
    path(COURSE + "life/delete/", views.delete, name="delete"),
    path(COURSE + "life/copy/", views.copy_course, name="copy_course"),
    path(COURSE + "life/export/", views.export, name="export"),
    path(ASSIGNMENT + "copy/", views.copy_assignment, name="copy_assignment"),
    path("import-course/", views.import_course, name="import_course"),
    path("operations/people/", views.find, name="find_person"),
    path("operations/people/<int:pk>/", views.forget, name="forget_person"),
]
