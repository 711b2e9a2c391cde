"""Addresses of the audit log."""

from django.urls import path

from webapp.pages.addresses import COURSE
from webapp.pages.auditlog import views

app_name = "auditlog"

urlpatterns = [
    path(COURSE + "log/", views.course_log, name="course"),
    path(COURSE + "log.csv", views.course_csv, name="course_csv"),
    path("operations/log/", views.site_log, name="site"),
    path("operations/log.csv", views.site_csv, name="site_csv"),
]
