"""Addresses for operators."""

from django.urls import path

from webapp.pages.operations import views

app_name = "operations"

urlpatterns = [
    path("graders/", views.graders, name="graders"),
    path("graders/pause/", views.pause, name="pause"),
    path("graders/go-on/", views.end_pause, name="end-pause"),
    path("graders/<int:key>/admit/", views.admit, name="admit"),
    path("graders/<int:key>/drain/", views.drain, name="drain"),
    path("graders/<int:key>/resume/", views.resume, name="resume"),
    path("graders/<int:key>/dismiss/", views.dismiss, name="dismiss"),
    path("graders/failed/send-again/", views.requeue_failed, name="requeue-failed"),
    path("graders/aside/forget/", views.forget_aside, name="forget-aside"),
]
