"""Regrade requests, for staff: the list with its states, and the answer to one."""

from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from webapp.flow import pipeline
from webapp.grading.gradebook.models import Outcome, RegradeRequest
from webapp.grading.gradebook.points import all_points
from webapp.pages.addresses import query_of
from webapp.pages.contexts import course_context
from webapp.pages.gradebook.forms import AnswerForm
from webapp.pages.gradebook.student_views import context_of
from webapp.pages.http import current_user, is_saved, signed_in, viewer_of
from webapp.pages.lookup import staff_course
from webapp.teaching.courses.models import Enrolment
from webapp.teaching.courses.rights import Right

PER_PAGE: Final = 50


@signed_in("GET")
def regrades(request: HttpRequest, course_slug: str) -> HttpResponse:
    """List the course's requests, the open ones first."""
    course = staff_course(request, course_slug)
    asked = RegradeRequest.objects.filter(assignment__course=course)
    state = request.GET.get("state", Outcome.OPEN.value)
    shown = asked.filter(outcome=state) if state in Outcome.values else asked
    related = shown.select_related("user", "assignment", "answered_by").defer("answer")
    page = Paginator(related, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **course_context(course),
        "requests": list(page),
        "page": page,
        "state": state,
        "states": [*Outcome.choices, ("all", "all")],
        "query": query_of({"state": state or "all"}),
        "n_open": asked.filter(outcome=Outcome.OPEN).count(),
    }
    return render(request, "gradebook/regrades.html", context)


@signed_in("GET", "POST")
def regrade(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Show one request with the points it is about, and answer it."""
    course = staff_course(request, course_slug)
    rows = RegradeRequest.objects.filter(assignment__course=course)
    related = rows.select_related("user", "assignment__course", "answered_by")
    asked = get_object_or_404(related, pk=pk)
    user = current_user(request)
    if request.method == "POST":
        viewer_of(request, course).require_right(Right.GRADE, people=[asked.user_id])
    form = AnswerForm(request.POST or None)
    if is_saved(form, lambda: pipeline.answer_regrade(request=asked, by=user, **form.cleaned_data)):
        messages.success(request, f"Regrade request of {asked.user} answered.")
        return redirect("gradebook:regrades", course_slug)
    points = all_points([asked.assignment], [asked.user_id])
    context = {
        **context_of(
            asked.assignment, asked.user, points.get((asked.assignment_id, asked.user_id))
        ),
        "asked": asked,
        "enrolment": Enrolment.objects.filter(course=course, user=asked.user).first(),
        "can": viewer_of(request, course).can,
        "form": form,
    }
    return render(request, "gradebook/regrade.html", context, status=422 if form.errors else 200)
