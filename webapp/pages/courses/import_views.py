"""Import people from a file, whose text travels in the form from step to step."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString

from webapp.base.errors import Refused
from webapp.pages.courses.dates_views import change_dates
from webapp.pages.courses.forms.fields import as_choice
from webapp.pages.http import chosen_id, course_context, run_with_form_errors, signed_in
from webapp.pages.lookup import instructors_course
from webapp.teaching.courses import services
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.roster import formats, planning, reading
from webapp.teaching.courses.services.staff import TAKEN_BACK

NAMES_SHOWN: Final = 5
LINES_SHOWN: Final = 200
"""The most lines of one outcome."""


class FileForm(forms.Form):
    """The first step: a file."""

    file = forms.FileField(
        label="CSV file",
        help_text="An export of Canvas, Moodle, Blackboard, Brightspace or Gradescope, or any"
        " table with a header.",
    )


class RosterImportForm(forms.Form):
    """The second step: the columns' fields, and the acts to perform."""

    text = forms.CharField(
        widget=forms.HiddenInput, max_length=reading.MAX_BYTES, strip=False, required=False
    )
    previewed = forms.CharField(widget=forms.HiddenInput, required=False)
    domain = forms.CharField(
        label="Common ending of all addresses",
        required=False,
        max_length=100,
        help_text=SafeString(
            "For files with user names but no addresses: <code>uni.example</code>."
        ),
    )
    skip_wrong = forms.BooleanField(label="Skip lines with errors", required=False)
    withdraw_missing = forms.BooleanField(
        label="Mark students who are not in the file as withdrawn", required=False
    )
    invite = forms.BooleanField(label="Send invitations by e-mail", required=False, initial=True)
    reason = forms.CharField(
        label="Reason", required=False, max_length=200, help_text="Kept in the audit log."
    )

    def __init__(
        self, data: Any, *, table: reading.RosterTable, known: formats.Format | None
    ) -> None:
        super().__init__(data)
        guessed = formats.guess(table, known)
        headers = [("", "–"), *((name, name) for name in dict.fromkeys(table.header) if name)]
        for field, label in formats.FIELDS.items():
            self.fields[f"column_{field}"] = forms.ChoiceField(
                label=label, required=False, initial=guessed.get(field, "")
            )
            as_choice(self.fields[f"column_{field}"]).choices = headers

    @property
    def column_fields(self) -> list[forms.BoundField]:
        """The fields that say which column holds what."""
        return [self[f"column_{field}"] for field in formats.FIELDS]

    def columns(self) -> dict[str, str]:
        """Return the chosen header by field."""
        chosen = {field: self.cleaned_data.get(f"column_{field}", "") for field in formats.FIELDS}
        return {field: name for field, name in chosen.items() if name}


@signed_in("GET", "POST")
def import_people(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Import people: every step is a POST to this address."""
    course = instructors_course(request, course_slug)
    if request.method == "GET":
        return _show(request, course, {"file_form": FileForm()})
    file_form = FileForm(request.POST, request.FILES)
    try:
        text = _text(request)
        table = reading.table_of(text)
    except Refused as refusal:
        file_form.full_clean()
        file_form.errors.pop("file", None)
        file_form.add_error("file", str(refusal))
        return _show(request, course, {"file_form": file_form}, status=422)
    return _look_or_import(request, course, text, table)


def _text(request: HttpRequest) -> str:
    if "text" in request.POST:
        return request.POST["text"]
    file = request.FILES.get("file")
    if file is None or isinstance(file, list):
        raise Refused("Choose a file first.")
    if (file.size or 0) > reading.MAX_BYTES:
        raise Refused("This file is larger than 1 MiB: is it a list of people?")
    return reading.text_of(file.read())


def _look_or_import(
    request: HttpRequest, course: Course, text: str, table: reading.RosterTable
) -> HttpResponse:
    known = formats.recognise(table)
    is_first = "text" not in request.POST
    form = RosterImportForm(request.POST, table=table, known=known)
    columns = formats.guess(table, known) if is_first else {}
    if form.is_valid() and not is_first:
        columns = form.columns()
    domain = "" if is_first else form.cleaned_data.get("domain", "")
    sections = set(course.sections.values_list("name", flat=True))
    entries = formats.entries(table, columns, known, domain, sections=sections)
    plan = planning.plan_import(course, entries)
    if "do" in request.POST and form.is_valid():
        done = run_with_form_errors(form, lambda: _import(request, course, entries, form))
        if done is not None:
            messages.success(request, _words(done))
            return redirect("courses:people", course.slug)
    shown = RosterImportForm(
        _carried(request, text, plan, columns, is_first=is_first), table=table, known=known
    )
    shown.full_clean()
    for error in form.non_field_errors() if not is_first else []:
        shown.add_error(None, error)
    context = {
        "form": shown,
        "plan": plan,
        "known": known,
        "outcomes": _outcomes(plan),
        "not_found": _not_found(columns),
        "has_wrong": bool(plan.of(planning.ImportOutcome.WRONG)),
        "missing_words": _names(plan),
        "lowered": _lowered(request),
        "taken_back": TAKEN_BACK,
    }
    return _show(request, course, context, status=422 if shown.errors else 200)


def _carried(
    request: HttpRequest,
    text: str,
    plan: planning.RosterPlan,
    columns: dict[str, str],
    *,
    is_first: bool,
) -> dict[str, Any]:
    kept = {"invite": "on"} if is_first else {key: request.POST[key] for key in request.POST}
    chosen = {f"column_{field}": columns.get(field, "") for field in formats.FIELDS}
    return {**kept, **chosen, "text": text, "previewed": plan.digest}


def _lowered(request: HttpRequest) -> set[int]:
    return {key for text in request.POST.getlist("lower") if (key := chosen_id(text))}


def _import(
    request: HttpRequest, course: Course, entries: list[formats.RosterEntry], form: RosterImportForm
) -> planning.RosterPlan:
    options = ("previewed", "skip_wrong", "withdraw_missing", "invite", "reason")
    values = {name: form.cleaned_data[name] for name in options}
    values |= {"course": course, "entries": entries, "lower": _lowered(request)}
    return change_dates(request, course, services.import_people, **values)


def _words(plan: planning.RosterPlan) -> str:
    wrong = planning.ImportOutcome.WRONG.value
    counts = [(word if word != wrong else "left out", number) for word, number in plan.counts]
    return f"Imported: {', '.join(f'{number} {word}' for word, number in counts if number)}."


def _not_found(columns: dict[str, str]) -> list[str]:
    needed = {
        "the name": ("name", "first", "last"),
        "the e-mail address": ("email", "login", "number"),
    }
    return [words for words, fields in needed.items() if not columns.keys() & set(fields)]


def _names(plan: planning.RosterPlan) -> str:
    names = [member.user.display_name for member in plan.missing]
    return ", ".join(names[:NAMES_SHOWN] + ["…"] * (len(names) > NAMES_SHOWN))


def _outcomes(plan: planning.RosterPlan) -> list[tuple[str, int, list[planning.Planned]]]:
    order = (
        planning.ImportOutcome.WRONG,
        planning.ImportOutcome.ADDED,
        planning.ImportOutcome.CHANGED,
        planning.ImportOutcome.SAME,
    )
    outcomes = [(outcome.value, plan.of(outcome)) for outcome in order]
    return [(word, len(lines), lines[:LINES_SHOWN]) for word, lines in outcomes if lines]


def _show(
    request: HttpRequest, course: Course, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    page = {**course_context(course), **context}
    return render(request, "courses/import.html", page, status=status)
