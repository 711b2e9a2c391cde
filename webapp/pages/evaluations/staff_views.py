"""Views of all evaluations of an assignment, for the staff of its course."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from grader.core.words import counted
from grader.house.catalogue import HouseAgent, fitting
from webapp.base.storable import storable
from webapp.flow.game_versions import grade_again as take_version
from webapp.flow.game_versions import other_versions
from webapp.grading.evaluations import services
from webapp.grading.evaluations.models import Evaluation, GradingRun
from webapp.grading.evaluations.selectors import references_of
from webapp.grading.evaluations.watching import course_state
from webapp.grading.gradebook.work import Need, TeamWork, Work
from webapp.pages.addresses import query_of
from webapp.pages.confirming import Question, ask
from webapp.pages.evaluations.staff_table import TableContext, staff_rows, tabs_of
from webapp.pages.evaluations.week import points_so_far, week_of
from webapp.pages.http import (
    assignment_context,
    chosen_id,
    current_user,
    run_with_form_errors,
    run_with_message,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import instructors_assignment, staff_assignment
from webapp.pages.review import rows_in_words
from webapp.pages.staff_tasks import counts_of, tasks_of
from webapp.pages.watching import Watch, answer, watch_state
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.models import Assignment, Extension, LeaderboardVisibility, Role, Team
from webapp.teaching.courses.permissions import require_right_for
from webapp.teaching.courses.releases import is_held
from webapp.teaching.courses.rights import Right

_WATCH_SECONDS: Final = 3
TEAMS_PER_PAGE: Final = 50


def _watch(request: HttpRequest, course_slug: str, assignment_slug: str) -> Watch | None:
    state = course_state(current_user(request), course_slug, assignment_slug)
    address = reverse("evaluations:staff_live", args=[course_slug, assignment_slug])
    query = query_of(_asked(request, "q", "section", "show", "page")).removesuffix("&")
    address = f"{address}?{query}" if query else address  # of the same teams as the page shows
    return watch_state(address, state, seconds=_WATCH_SECONDS)


def _asked(request: HttpRequest, *names: str) -> dict[str, str]:
    return {name: storable(request.GET.get(name, ""), characters=80) for name in names}


def _house_rows(assignment: Assignment) -> list[tuple[str, HouseAgent, Evaluation | None]]:
    runs = assignment.evaluations.of_house_agents().order_by("house_agent", "-pk")
    latest = {run.house_agent: run for run in reversed(runs.brief())}
    return [(name, agent, latest.get(name)) for name, agent in fitting(assignment.rules).items()]


def _failed(assignment: Assignment) -> list[Evaluation]:
    failed = assignment.evaluations.failed().select_related("submission__team")
    return list(failed[:TEAMS_PER_PAGE])


def staff_context(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    """The overview of all teams and reference agents."""
    run = assignment.grading_runs.filter(finished_at__isnull=True).first()
    viewer = viewer_of(request, assignment.course)
    counts = counts_of(assignment.course, [assignment], timezone.now())
    table = _table(request, assignment, viewer.rights)
    to_check = table["to_check"]
    is_live = run is not None or bool(counts.under_way[assignment.pk])
    n_failed = counts.failed[assignment.pk]
    return {
        **assignment_context(assignment),
        **table,
        "grading_run": run,
        "tasks": tasks_of(viewer, [assignment], counts=counts, to_check=to_check),
        "week": week_of(assignment, counts, to_check=len(to_check)),
        "points": points_so_far(assignment),
        "house_rows": _house_rows(assignment),
        "failed": _failed(assignment) if n_failed else [],
        "n_failed": n_failed,
        "watch": _watch(request, assignment.course.slug, assignment.slug) if is_live else None,
        "is_instructor": viewer.is_instructor,
        "other_versions": viewer.is_instructor and other_versions(assignment),
        "can": viewer.can,
        "visibilities": LeaderboardVisibility,
    }


def _table(
    request: HttpRequest, assignment: Assignment, rights: Collection[Right]
) -> dict[str, Any]:
    asked = _asked(request, "q", "section", "show")
    words, section, show = (text.strip() for text in asked.values())
    work = Work([assignment])
    everybody, known = work.roster(), work.roster(words, section)
    chosen = [row for row in known if show in row.needs] if show in set(Need) else known
    page = Paginator(chosen, TEAMS_PER_PAGE).get_page(request.GET.get("page"))
    sections = list(assignment.course.sections.all())
    table = _table_context(assignment, rights, has_sections=bool(sections))
    rows = staff_rows(work, list(page), table=table, csrf_token=get_token(request))
    return {
        "to_check": [row for row in everybody if Need.CHECK in row.needs],
        "n_extended": sum(row.has_more_time for row in everybody),
        "last_ends_at": (last := work.by_assignment[assignment.pk].last_ends_at),
        "is_over": work.now > last,
        "tabs": tabs_of(known, asked),
        "page": page,
        "found": found_words(chosen),
        "teams": [(row.team.pk, row.name) for row in page if row.team is not None],
        "rows": rows,
        "may_choose": table.may_choose,
        "may_extend": table.may_extend,
        "words": words,
        "section": section,
        "sections": sections,
        "show": show,
        "query": query_of(asked),
    }


def _table_context(
    assignment: Assignment, rights: Collection[Right], *, has_sections: bool
) -> TableContext:
    return TableContext(
        course=assignment.course.slug,
        assignment=assignment.slug,
        scheme=assignment.scheme,
        has_sections=has_sections,
        has_opponents=bool(assignment.opponents),
        may_choose=not {Right.EXTEND, Right.ANNOUNCE, Right.INTEGRITY}.isdisjoint(rights),
        may_extend=Right.EXTEND in rights and assignment.secret_revealed_at is None,
        may_announce=Right.ANNOUNCE in rights,
        may_grade=Right.GRADE in rights,
    )


def found_words(rows: Sequence[TeamWork]) -> str:
    """Return the number of rows: ``6 teams and 1 student without a team``."""
    has_students = any(row.team is None for row in rows)
    return f"{rows_in_words(rows)} without a team" if has_students else rows_in_words(rows)


@signed_in("GET")
def staff(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show every team of an assignment: submissions, evaluations, grades, possible acts."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    extensions = Extension.objects.filter(assignment=assignment)
    context = {
        **staff_context(request, assignment),
        "extensions": extensions.select_related("team", "user", "granted_by"),
        "students": assignment.course.enrolments.active()
        .filter(role=Role.STUDENT)
        .order_by("user__display_name")
        .values_list("user_id", "user__display_name"),
    }
    return render(request, "evaluations/staff.html", context)


@signed_in("GET")
@never_cache
def staff_live(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The tables of that page: they ask for themselves again while something is played."""

    def whole() -> HttpResponse:
        assignment = staff_assignment(request, course_slug, assignment_slug)
        return render(request, "evaluations/_staff_live.html", staff_context(request, assignment))

    return answer(request, _watch(request, course_slug, assignment_slug), whole)


@signed_in("GET")
def confirm(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Ask before the graded evaluation of all teams, or of one, is started."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    chosen = chosen_id(request.GET.get("team", ""))
    team = None if chosen is None else get_object_or_404(assignment.teams, pk=chosen)
    if team is None:
        viewer_of(request, assignment.course).require_right(Right.GRADE)
    else:
        require_right_for(current_user(request), team, Right.GRADE)
    rows = Work([assignment], teams=None if team is None else [team.pk]).rows()
    context = {
        **assignment_context(assignment),
        "team": team,
        "rows": rows,
        **_groups(rows),
        "references": references_of(assignment),
        "is_held": is_held(assignment),
        "can_still_submit": [row for row in rows if not row.is_over],
    }
    return render(request, "evaluations/confirm.html", context)


def _groups(rows: Sequence[TeamWork]) -> dict[str, list[TeamWork]]:
    counted = [row for row in rows if row.counted]
    without = [row for row in rows if not row.counted]
    return {
        "counted": counted,
        "without": [row for row in without if not row.testing],
        "untested": [row for row in without if row.testing],
        "overtaken": [row for row in counted if row.testing],
        "again": [row for row in counted if row.run],
    }


@signed_in("POST")
def grade(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Start the graded evaluation, of one team or of all."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    by, chosen = current_user(request), chosen_id(request.POST.get("team", ""))
    if chosen is None:
        run = run_with_message(
            request, lambda: services.start_grading(assignment=assignment, by=by)
        )
        if run is not None:
            say_begun(request, run)
    else:
        team: Team = get_object_or_404(assignment.teams, pk=chosen)
        started = run_with_message(request, lambda: services.grade_team(team=team, by=by))
        if started is not None:
            say_started(request, 1)
    return redirect("evaluations:staff", assignment.course.slug, assignment.slug)


_PRACTICE_STANDS: Final = (
    "Practice chooses the upload that counts: an upload keeps its mean with the present version"
    " until it practises again."
)


@signed_in("GET", "POST")
def grade_again(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Ask before another version of the game is taken, and all teams are graded with it."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    others = other_versions(assignment)
    if not others:
        raise Http404("There is no other version of this game.")
    form = GameVersionForm(request.POST or None, versions=others)
    if form.is_valid():
        by, chosen = current_user(request), form.cleaned_data["version"]
        run = run_with_form_errors(
            form, lambda: take_version(assignment=assignment, by=by, game=chosen)
        )
        if run is not None:
            say_begun(request, run)
        elif not form.errors:
            messages.success(request, "The assignment goes on with this version.")
        if not form.errors:
            return redirect("evaluations:staff", assignment.course.slug, assignment.slug)
    question = Question(
        title="Grade all again with another version of the game?",
        effects=(
            "If teams were graded, all are graded again. Grades stay until these games are played.",
            "Nothing that was played with the present version counts on the leaderboard any more.",
            "What is being played or has failed is cancelled.",
            *([_PRACTICE_STANDS] if DeadlineRule(assignment.counts).is_by_practice else ()),
        ),
        button="Grade all again",
        back=reverse("evaluations:staff", args=[assignment.course.slug, assignment.slug]),
        form=form,
        assignment=assignment,
    )
    return ask(request, question)


class GameVersionForm(forms.Form):
    """The version to go on with."""

    version = forms.ChoiceField(label="Version")

    def __init__(self, *args: Any, versions: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["version"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
        field.choices = list(versions.items())


def say_begun(request: HttpRequest, run: GradingRun) -> None:
    """Add messages on the start of grading all teams, and on each team that was skipped."""
    if run.finished_at is None:
        words = f"The grading of {counted(run.total, 'team')} continues automatically; see below."
        messages.success(request, words)
    else:
        say_started(request, run.done - len(run.refused))
    for team, reason in run.refused.items():
        messages.warning(request, f"{team} was skipped. {reason}")


def say_started(request: HttpRequest, count: int) -> None:
    """Add a message with the number of evaluations that were started."""
    if count:
        words = f"{counted(count, 'evaluation')} {'is' if count == 1 else 'are'} queued."
        messages.success(request, words)
    else:
        messages.warning(
            request, "There is nothing new to grade: everything is graded or being played."
        )


@signed_in("POST")
def play_house(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Evaluate house agents on the graded deals, as reference lines."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    known = fitting(assignment.rules)
    names = [name for name in request.POST.getlist("name") if name in known]
    started = run_with_message(
        request,
        lambda: services.request_house(
            assignment=assignment, by=current_user(request), names=names
        ),
    )
    if started is not None:
        say_started(request, len(started))
    return redirect("evaluations:staff", assignment.course.slug, assignment.slug)
