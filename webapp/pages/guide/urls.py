"""Addresses of the guide."""

from django.urls import path

from webapp.pages.guide import views

app_name = "guide"

urlpatterns = [
    path("", views.index, name="index"),
    path("search/", views.search, name="search"),
    path("<slug:slug>/", views.page, name="page"),
]
