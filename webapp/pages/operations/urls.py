"""Addresses for operators."""

from django.urls import path

from webapp.pages.operations import views

app_name = "operations"

urlpatterns = [
    path("graders/", views.graders, name="graders"),
    path("graders/<int:key>/admit/", views.admit, name="admit"),
    path("graders/<int:key>/dismiss/", views.dismiss, name="dismiss"),
    path("graders/aside/forget/", views.forget_aside, name="forget-aside"),
]
