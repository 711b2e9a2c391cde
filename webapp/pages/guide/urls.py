"""Addresses of the guide."""

from django.urls import path

from webapp.pages.guide import views

app_name = "guide"

urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.page, name="page"),
]
