"""Addresses for operators."""

from django.urls import path

from webapp.operations import views

app_name = "operations"

urlpatterns = [path("graders/", views.graders, name="graders")]
