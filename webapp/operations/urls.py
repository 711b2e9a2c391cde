"""Addresses for operators."""

from django.urls import path

from webapp.operations import views

app_name = "operations"

urlpatterns = [
    path("graders/", views.graders, name="graders"),
    path("graders/aside/forget/", views.forget_aside, name="forget-aside"),
]
