"""Addresses of submissions."""

from django.urls import path

from webapp.pages.addresses import ASSIGNMENT
from webapp.pages.submissions import editor_views, views

app_name = "submissions"

urlpatterns = [
    path("submissions/<int:pk>/", views.submission, name="submission"),
    path("submissions/<int:pk>/live/", views.live, name="live"),
    path("submissions/<int:pk>/practice/", views.practise, name="practise"),
    path("submissions/<int:pk>/smoke-test/", views.retest, name="retest"),
    path("submissions/<int:pk>/choose/", views.choose, name="choose"),
    path("submissions/<int:pk>/source/", views.source, name="source"),
    path(ASSIGNMENT + "editor/", editor_views.editor, name="editor"),
    path(ASSIGNMENT + "editor/<int:draft>/live/", editor_views.editor_live, name="editor_live"),
    path("submissions/<int:pk>/changes/", views.changes, name="changes"),
    path("submissions/<int:pk>/archive/", views.archive, name="archive"),
]
