"""A form for a new object shows the defaults of the model, of its settings, or of the site.

A selection without a chosen value shows its first choice, which is then saved without anybody
having chosen it.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import MISSING, fields
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django import forms
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from grader.core.games import GAMES
from grader.tournament import Policy
from tests.support.pages import signed_in
from tests.support.world import World
from webapp import pages
from webapp.contests.ladders.models import Ladder
from webapp.contests.tournaments.services import TournamentSetting
from webapp.flow.lifecycle.models import Retention
from webapp.grading.gradebook.models import ManualPoints, RegradeRequest
from webapp.pages.courses.forms.assignment import AssignmentForm
from webapp.pages.courses.forms.course import CourseForm
from webapp.pages.courses.forms.initial import first_rules, initial_of_new
from webapp.pages.gradebook.forms import PointsForm, RegradeForm
from webapp.pages.ladders.forms import LadderForm
from webapp.pages.lifecycle.forms import RetentionForm
from webapp.pages.tournaments.forms import TournamentForm
from webapp.teaching.courses.defaults import default_opponents, default_scheme
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    LeaderboardVisibility,
    Section,
    SectionDates,
)

NOT_THE_MODELS: Final = {
    # Of each opponent as many: 1000 against each of six would take a day.
    AssignmentForm: {"n_games", "practice_games", "smoke_games"},
    # So that everybody sits in each seat once; what is forbidden is hardly ever an accident.
    TournamentForm: {"games_per_table", "forbidden"},
    # Examples of both kinds of house agents; a ladder without any has nobody to measure against.
    LadderForm: {"house_agents"},
}
"""Fields whose form proposes another value, with the reason."""

FIRST_CHOICES: Final = {
    "TournamentForm.length_of": "the unit of the length beside it, which has a default",
    "ExclusionForm.how": "an act on an existing tournament: the choice that voids no games",
    "PeopleFilters.state": "a filter: the people who are in the course",
    "RoleForm.role": "filled with the person's role",
}
"""Selections that show their first choice, and why that is right."""


def shown(bound: forms.BoundField) -> object:
    """Return the value that a browser shows and sends, as the form would read it."""
    field, value = bound.field, bound.value()
    is_list = isinstance(field.widget, forms.Select) and not field.widget.allow_multiple_selected
    if isinstance(field, forms.ChoiceField) and is_list:
        choices = [str(key) for key, _ in field.choices]  # type: ignore[union-attr]  # no groups
        value = value if str(value) in choices else choices[0]
    if isinstance(value, str) and isinstance(field, forms.DateTimeField):
        return value
    return field.to_python(value)


def model_defaults(made: models.Model) -> dict[str, object]:
    return {
        field.name: getattr(made, field.name)
        for field in made._meta.concrete_fields
        if field.editable and (field.has_default() or field.null or field.blank)
    }


def setting_defaults(*kinds: type) -> dict[str, object]:
    return {
        field.name: field.default if field.default is not MISSING else field.default_factory()  # type: ignore[misc]  # one of the two
        for kind in kinds
        for field in fields(kind)
        if field.default is not MISSING or field.default_factory is not MISSING
    }


def differing(form: forms.BaseForm, defaults: dict[str, object]) -> dict[str, object]:
    """Return the fields that show another value than the default, each with both."""
    left_out = NOT_THE_MODELS.get(type(form), set())
    both = {
        name: (shown(form[name]), defaults[name])
        for name in form.fields.keys() & defaults.keys() - left_out
    }
    return {name: pair for name, pair in both.items() if not _same(*pair)}


def _same(one: object, other: object) -> bool:
    if isinstance(one, datetime) and isinstance(other, datetime):
        return abs(one - other) < timedelta(minutes=5)
    if isinstance(one, list) and isinstance(other, list | tuple):
        return one == list(other)
    return one == other or (one in (None, "") and other in (None, "", False))


def form_of(client: Client, address: str, name: str = "form") -> Any:
    response = client.get(address)
    assert response.status_code == 200
    return response.context[name]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Zurich", "Australia/Perth"])
def test_a_new_course_has_the_sites_time_zone(world: World, settings: Settings, zone: str) -> None:
    settings.TIME_ZONE = zone
    form = form_of(signed_in(world.ida), reverse("courses:new_course"))
    assert shown(form["timezone"]) == Course().timezone == zone


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_form_of_a_new_assignment_shows_the_models_defaults(world: World, game: str) -> None:
    address = reverse("courses:new_assignment", args=[world.course.slug])
    form = form_of(signed_in(world.ida), f"{address}?game={game}")
    made = Assignment(course=world.course, game=game, opens_at=timezone.now())
    made.leaderboard = world.course.leaderboard_default
    defaults = model_defaults(made) | {
        name: getattr(made.agent_limits, name) for name in made.limits if name in form.fields
    }
    assert form.fields.keys() & defaults.keys() >= {"penalty_unit", "counts", "turn_seconds"}
    assert differing(form, defaults | {"opponents": default_opponents(first_rules(game))}) == {}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_form_of_a_new_assignment_shows_the_games_grading_scheme(
    world: World, game: str
) -> None:
    rules = first_rules(game)
    form = AssignmentForm(course=world.course, game=game, initial=initial_of_new(rules))
    scheme = default_scheme(rules, default_opponents(rules))
    defaults = {field.name: getattr(scheme, field.name) for field in fields(scheme)}
    del defaults["thresholds"], defaults["beaten"]  # text, which other tests read
    assert differing(form, defaults) == {}


def test_forms_of_tournaments_ladders_and_dates_show_the_defaults_of_what_they_set(
    world: World,
) -> None:
    address = reverse("tournaments:new", args=[world.course.slug, world.assignment.slug])
    form = form_of(signed_in(world.ida), address)
    defaults = setting_defaults(TournamentSetting, Policy)
    assert form.fields.keys() & defaults.keys() >= {"duplicates", "overtime", "faults_to_removal"}
    assert differing(form, defaults) == {}
    form = LadderForm(assignment=world.assignment, ladder=None)
    assert form.fields.keys() & model_defaults(Ladder()).keys()
    assert differing(form, model_defaults(Ladder())) == {}
    Section.objects.create(course=world.course, name="Tuesday")
    address = reverse("courses:section_dates", args=[world.course.slug, world.assignment.slug])
    [(_, _, form)] = form_of(signed_in(world.ida), address, "rows")
    names = form.fields.keys() & {field.name for field in SectionDates._meta.fields}
    own = {name: getattr(world.assignment, name) for name in names}
    assert names >= {"due_at", "penalty_unit"}
    assert differing(form, own) == {}
    Course.objects.update(leaderboard_default=LeaderboardVisibility.HIDDEN)
    address = reverse("courses:new_assignment", args=[world.course.slug])
    assert shown(form_of(signed_in(world.ida), address)["leaderboard"]) == "hidden"


@pytest.mark.parametrize(
    ("form", "made"),
    [
        (PointsForm(), ManualPoints()),
        (RegradeForm(), RegradeRequest()),
        (RetentionForm(), Retention()),
        (CourseForm(), Course()),
    ],
)
def test_other_forms_of_new_objects_show_the_models_defaults(
    form: forms.BaseForm, made: models.Model
) -> None:
    assert differing(form, model_defaults(made)) == {}


def _all_forms() -> Iterator[type[forms.Form]]:
    for module in pkgutil.walk_packages(pages.__path__, f"{pages.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            is_form = isinstance(value, type) and issubclass(value, forms.BaseForm)
            if is_form and value.__module__ == module.name:
                yield value


def test_no_selection_shows_its_first_choice_by_accident() -> None:
    by_accident = {
        f"{form.__name__}.{name}"
        for form in _all_forms()
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field, forms.ChoiceField)
        and type(field.widget) is forms.Select
        and field.initial is None
        and (keys := [key for key, _ in field.choices])
        and keys[0] != ""
    }
    compared = {"counts", "leaderboard", "interpolation", "game", "leaderboard_default"}
    by_accident = {name for name in by_accident if name.partition(".")[2] not in compared}
    assert by_accident == FIRST_CHOICES.keys()
