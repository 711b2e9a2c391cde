"""Addresses of the gradebook."""

from django.urls import path

from webapp.courses.urls import ASSIGNMENT
from webapp.gradebook import views

app_name = "gradebook"

urlpatterns = [
    path(ASSIGNMENT + "grades/", views.grades, name="grades"),
    path(ASSIGNMENT + "grades.csv", views.grades_csv, name="csv"),
]
