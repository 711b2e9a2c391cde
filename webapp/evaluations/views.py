"""Views of evaluations: one of them, its games, and what staff do with all of an assignment's."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import select_template
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from grader.core.words import counted
from grader.house.catalogue import fitting
from webapp.courses.lookup import visible_assignment
from webapp.courses.models import Assignment, Extension, LeaderboardVisibility, Role, Team
from webapp.courses.permissions import is_instructor_of, is_staff_of, require_staff
from webapp.courses.references import references_of
from webapp.courses.selectors import last_due_at
from webapp.errors import NotAllowed, Refused
from webapp.evaluations import permissions, selectors, services
from webapp.evaluations.forms import CompareForm, choices_of
from webapp.evaluations.models import Evaluation, GameResult
from webapp.pages.http import attachment, attempt, chosen_id, person
from webapp.submissions.views import section_of

GAMES_PER_PAGE = 50


def visible_evaluation(request: HttpRequest, uuid: UUID) -> Evaluation:
    """The evaluation with its course and agent, or 404 for whoever may not see it."""
    found = Evaluation.objects.visible_to(person(request))
    related = found.select_related("assignment__course", "submission__team")
    return get_object_or_404(related, uuid=uuid)


def with_games(request: HttpRequest, uuid: UUID) -> Evaluation:
    """As above; refused to whoever may not see its single games."""
    found = visible_evaluation(request, uuid)
    if not permissions.may_see_games(request.user, found):
        raise NotAllowed(
            "Single graded games can be seen once your instructor has revealed the secret of"
            " their deals."
        )
    return found


def context_of(request: HttpRequest, found: Evaluation) -> dict[str, Any]:
    """What every page about an evaluation has."""
    return {
        "evaluation": found,
        "assignment": found.assignment,
        "course": found.assignment.course,
        "submission": found.submission,
        "is_staff": is_staff_of(request.user, found.assignment.course),
        "nav": "home",
    }


# --- One evaluation ---------------------------------------------------------------------------


@login_required
@require_GET
def evaluation(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Figures and evidence of one evaluation."""
    found = visible_evaluation(request, uuid)
    context = {**context_of(request, found), "section": section_of(request, found)}
    return render(request, "evaluations/evaluation.html", context)


@login_required
@require_GET
@never_cache
def live(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Its changing part: asks for itself again until the evaluation is over."""
    found = visible_evaluation(request, uuid)
    context = {**context_of(request, found), "section": section_of(request, found)}
    return render(request, "evaluations/_live.html", context)


@login_required
@require_GET
def compare(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Two agents on common deals, out of all whose figures this person may see."""
    found = visible_assignment(request, course, assignment)
    offered = Evaluation.objects.visible_to(person(request)).current()
    form = CompareForm(request.GET or None, choices=choices_of(offered, found))
    context = {
        "assignment": found,
        "course": found.course,
        "form": form,
        "pair": form.pair() if form.is_valid() else None,
        "is_staff": is_staff_of(request.user, found.course),
        "nav": "home",
    }
    return render(request, "evaluations/compare.html", context)


@login_required
@require_GET
def games(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """All its games, some at a time."""
    found = with_games(request, uuid)
    results = selectors.games(found)
    if only := request.GET.get("show") == "faults":
        results = results.exclude(fault_kind="")
    page = Paginator(results, GAMES_PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = list(page.object_list)
    context = {**context_of(request, found), "page": page, "only_faults": only}
    return render(request, "evaluations/games.html", context)


def game_of(found: Evaluation, index: int) -> GameResult:
    """One game, or 404."""
    try:
        return selectors.game(found, index)
    except GameResult.DoesNotExist:
        raise Http404("This game has not been played.") from None


@login_required
@require_GET
def game(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """One game as text, its fault's evidence, and how to play it again."""
    found = with_games(request, uuid)
    result = game_of(found, index)
    context = {
        **context_of(request, found),
        "result": result,
        **replay_context(selectors.replay_of(result)),
        "command": selectors.reproduce_command(found, index),
        "last": found.n_games - 1,
    }
    return render(request, "evaluations/game.html", context)


def replay_context(told: selectors.Replay | None) -> dict[str, Any]:
    """What the page tells of the game, and the template that tells it: the game's own, or text."""
    if told is None:
        return {}
    templates = [told.template, "evaluations/replay/text.html"]
    return {
        "replay_template": select_template(templates),
        "text": told.text,
        "story": told.story,
        "players": told.players,
        "seat": told.seat,
    }


@login_required
@require_GET
def record(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """One game's record, to keep."""
    result = game_of(with_games(request, uuid), index)
    name = f"game-{index}.json"
    return attachment(result.record_json, name=name, content_type="application/json")


@login_required
@require_GET
def export(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The whole evaluation for ``firebox verify``."""
    found = with_games(request, uuid)
    text = attempt(request, lambda: exported(found))
    if text is None:
        return redirect("evaluations:evaluation", uuid)
    return attachment(text, name=f"evaluation-{uuid}.json", content_type="application/json")


def exported(found: Evaluation) -> str:
    """Its file. Raises Refused while there is nothing to prove."""
    if found.is_open or found.mean is None:
        raise Refused("There is a file to verify once the evaluation has finished with games.")
    return selectors.export_json(found)


@login_required
@require_POST
def requeue(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Send the missing games of a failed evaluation again."""
    found = visible_evaluation(request, uuid)
    attempt(
        request,
        lambda: services.requeue(evaluation=found, by=person(request)),
        done="The missing games are queued again.",
    )
    return back(request, found)


@login_required
@require_POST
def cancel(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Stop an evaluation."""
    found = visible_evaluation(request, uuid)
    attempt(
        request,
        lambda: services.cancel(evaluation=found, by=person(request)),
        done="The evaluation was cancelled.",
    )
    return back(request, found)


def back(request: HttpRequest, found: Evaluation) -> HttpResponse:
    """To the page on which the form was: the staff's, the submission's, else the evaluation's."""
    origin = request.POST.get("from")
    if origin == "staff":
        return redirect("evaluations:staff", found.assignment.course.slug, found.assignment.slug)
    if origin == "submission" and found.submission is not None:
        return redirect("submissions:submission", found.submission.pk)
    return redirect("evaluations:evaluation", found.uuid)


# --- All of an assignment, for staff ----------------------------------------------------------


def staff_assignment(request: HttpRequest, course: str, assignment: str) -> Assignment:
    """The assignment, for the course's staff only."""
    found = visible_assignment(request, course, assignment)
    require_staff(person(request), found.course)
    return found


def staff_context(request: HttpRequest, found: Assignment) -> dict[str, Any]:
    """The overview of all teams and reference agents."""
    house_runs = list(
        found.evaluations.exclude(house_agent="").order_by("house_agent", "-requested_at")
    )
    latest = {run.house_agent: run for run in reversed(house_runs)}
    rows = selectors.staff_overview(found)
    runs = [row.graded for row in rows if row.graded is not None] + list(latest.values())
    return {
        "assignment": found,
        "course": found.course,
        "rows": rows,
        "house_rows": [
            (name, each.description, latest.get(name))
            for name, each in fitting(found.rules).items()
        ],
        "failed": found.evaluations.failed().select_related("submission__team"),
        "is_live": any(run.is_open for run in runs),
        "is_instructor": is_instructor_of(request.user, found.course),
        "visibilities": LeaderboardVisibility,
        "nav": "home",
    }


@login_required
@require_GET
def staff(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Every team of an assignment: submissions, evaluations, grades, and what can be done."""
    found = staff_assignment(request, course, assignment)
    extensions = Extension.objects.filter(team__assignment=found)
    last = last_due_at(found)
    context = {
        **staff_context(request, found),
        "last_due_at": last,
        "is_over": timezone.now() > last,
        "extensions": extensions.select_related("team", "granted_by"),
        "students": found.course.enrolments.filter(role=Role.STUDENT)
        .select_related("user")
        .order_by("user__display_name"),
    }
    return render(request, "evaluations/staff.html", context)


@login_required
@require_GET
@never_cache
def staff_live(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """The tables of that page: they ask for themselves again while something is played."""
    found = staff_assignment(request, course, assignment)
    return render(request, "evaluations/_staff_live.html", staff_context(request, found))


@login_required
@require_GET
def confirm(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Ask before the graded evaluation of all teams, or of one, is started."""
    found = staff_assignment(request, course, assignment)
    chosen = chosen_id(request.GET.get("team", ""))
    team = None if chosen is None else get_object_or_404(found.teams, pk=chosen)
    rows = [row for row in selectors.staff_overview(found) if team is None or row.team == team]
    context = {
        "assignment": found,
        "course": found.course,
        "team": team,
        "rows": rows,
        "counted": [row for row in rows if row.counted],
        "without": [row for row in rows if not row.counted and not row.testing],
        "untested": [row for row in rows if not row.counted and row.testing],
        "overtaken": [row for row in rows if row.counted and row.testing],
        "again": [row for row in rows if row.counted and row.graded],
        "references": references_of(found),
        "can_still_submit": [row for row in rows if timezone.now() <= row.due_at],
        "nav": "home",
    }
    return render(request, "evaluations/confirm.html", context)


@login_required
@require_POST
def grade(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Start the graded evaluation, of one team or of all."""
    found = staff_assignment(request, course, assignment)
    started = attempt(request, grading(request, found))
    if started is not None:
        say_started(request, len(started.evaluations))
        for team, reason in started.refused.items():
            messages.warning(request, f"{team} was left alone. {reason}", "warn")
    return redirect("evaluations:staff", found.course.slug, found.slug)


def grading(request: HttpRequest, found: Assignment) -> Callable[[], services.Started]:
    """What the form asks for: one team, or all of them."""
    chosen = chosen_id(request.POST.get("team", ""))
    user = person(request)
    if chosen is None:
        return lambda: services.grade_all(assignment=found, by=user)
    team: Team = get_object_or_404(found.teams, pk=chosen)
    return lambda: services.Started(
        evaluations=(services.grade_team(team=team, by=user),), refused={}
    )


def say_started(request: HttpRequest, count: int) -> None:
    """How many evaluations are under way now."""
    if count:
        words = f"{counted(count, 'evaluation')} {'is' if count == 1 else 'are'} queued."
        messages.success(request, words, "good")
    else:
        messages.warning(request, "No team has anything to grade that is not being played.", "warn")


@login_required
@require_POST
def play_house(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Evaluate house agents on the graded deals, as reference lines."""
    found = staff_assignment(request, course, assignment)
    known = fitting(found.rules)
    names = [name for name in request.POST.getlist("name") if name in known]
    started = attempt(
        request,
        lambda: services.request_house(assignment=found, by=person(request), names=names),
    )
    if started is not None:
        say_started(request, len(started))
    return redirect("evaluations:staff", found.course.slug, found.slug)
