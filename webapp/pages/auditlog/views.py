"""Views of the audit log: pages of fifty acts, and CSV."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from webapp.pages.addresses import query_of
from webapp.pages.http import require_operator, signed_in, streamed
from webapp.pages.lookup import instructors_course
from webapp.people.auditlog.selectors import WantedActs, acts, acts_csv, kind_choices
from webapp.teaching.courses.models import Course


class Filters(forms.Form):
    """People, kinds and a period. A field that makes no sense filters nothing."""

    q = forms.CharField(
        label="Person or word",
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    kind = forms.ChoiceField(label="Kind", required=False)
    since = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        kind = self.fields["kind"]
        if isinstance(kind, forms.ChoiceField):
            kind.choices = [("", "every kind"), *kind_choices()]

    def wanted(self, course: Course | None) -> WantedActs:
        """Return the filters, days in the active time zone."""
        self.is_valid()
        entered = self.cleaned_data
        until = entered.get("until")
        return WantedActs(
            course=course,
            words=entered.get("q", "").replace("\0", ""),
            kind=entered.get("kind", ""),
            since=_midnight(entered.get("since")),
            until=_midnight(until + timedelta(days=1) if until else None),
        )

    def query(self) -> str:
        """Return the filters as a query string that ends with ``&``."""
        return query_of({name: self.data.get(name, "") for name in self.fields})


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else timezone.make_aware(datetime.combine(day, time()))


ACTS_PER_PAGE: Final = 50


@signed_in("GET")
def course_log(request: HttpRequest, course_slug: str) -> HttpResponse:
    """The log of a course, for its instructors."""
    course = instructors_course(request, course_slug, to_look=True)
    csv = reverse("auditlog:course_csv", args=[course_slug])
    with timezone.override(course.tz):
        return _page(request, course, {"csv": csv, "nav": "home"})


@signed_in("GET")
def course_csv(request: HttpRequest, course_slug: str) -> HttpResponseBase:
    """The same as a spreadsheet."""
    course = instructors_course(request, course_slug, to_look=True)
    with timezone.override(course.tz):
        wanted = Filters(request.GET).wanted(course)
    return streamed(acts_csv(wanted), name=f"{course.slug}-log.csv")


@signed_in("GET")
def site_log(request: HttpRequest) -> HttpResponse:
    """The log of all courses and of the site itself, for operators."""
    require_operator(request)
    return _page(request, None, {"csv": reverse("auditlog:site_csv"), "nav": "auditlog"})


@signed_in("GET")
def site_csv(request: HttpRequest) -> HttpResponseBase:
    """The same as a spreadsheet."""
    require_operator(request)
    wanted = Filters(request.GET).wanted(None)
    return streamed(acts_csv(wanted), name="firebox-log.csv")


def _page(request: HttpRequest, course: Course | None, more: dict[str, Any]) -> HttpResponse:
    filters = Filters(request.GET)
    paginator = Paginator(acts(filters.wanted(course)), ACTS_PER_PAGE)
    context = {
        "course": course,
        "filters": filters,
        "query": filters.query(),
        "page": paginator.get_page(request.GET.get("page")),
        **more,
    }
    return render(request, "auditlog/log.html", context)
