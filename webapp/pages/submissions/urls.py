"""Addresses of submissions."""

from django.urls import path

from webapp.pages.submissions import views

app_name = "submissions"

urlpatterns = [
    path("submissions/<int:pk>/", views.submission, name="submission"),
    path("submissions/<int:pk>/live/", views.live, name="live"),
    path("submissions/<int:pk>/practice/", views.practise, name="practise"),
    path("submissions/<int:pk>/smoke-test/", views.retest, name="retest"),
    path("submissions/<int:pk>/choose/", views.choose, name="choose"),
    path("submissions/<int:pk>/source/", views.source, name="source"),
    path("submissions/<int:pk>/archive/", views.archive, name="archive"),
]
