"""The page on which an instructor links a platform's course with one of ours."""

from typing import Final

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from webapp.flow.lti.launches import Place
from webapp.flow.lti.models import Platform
from webapp.flow.lti.services import link_course
from webapp.pages.http import chosen_id, current_user, signed_in
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, Role

PLACE: Final = "lti_place"
"""The key in the session under which the course of a platform waits to be linked."""


@signed_in("GET", "POST")
def link(request: HttpRequest) -> HttpResponse:
    """Choose the course, once; the platform has said that this person teaches it there."""
    kept = request.session.get(PLACE)
    if kept is None:
        return redirect("home")
    place, by = Place(**kept), current_user(request)
    teaches = _taught_by(by)
    if request.method == "POST":
        course = get_object_or_404(teaches, pk=chosen_id(request.POST.get("course", "")))
        linked = link_course(place=place, course=course, by=by)
        del request.session[PLACE]
        text = f"{linked} now opens this course. Its students are enrolled when they open it."
        messages.success(request, text)
        return redirect("courses:course", course.slug)
    platform = get_object_or_404(Platform, pk=place.platform)
    context = {"place": place, "platform": platform, "courses": teaches, "nav": "home"}
    return render(request, "lti/link.html", context)


def _taught_by(user: User) -> QuerySet[Course]:
    courses = Course.objects.visible_to(user)
    if user.is_superuser:
        return courses
    return courses.filter(enrolments__user=user, enrolments__role=Role.INSTRUCTOR)
