"""Addresses of the gradebook."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.gradebook import views

app_name = "gradebook"

urlpatterns = [
    path(ASSIGNMENT + "grades/", views.grades, name="grades"),
    path(ASSIGNMENT + "grades.csv", views.grades_csv, name="csv"),
]
