"""The form with a ladder's settings."""

from typing import Any

from django import forms
from django.http import QueryDict

from grader.house.catalogue import fitting
from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.services import LadderSetting
from webapp.pages.saved_values import SavedValuesForm
from webapp.teaching.courses.models import Assignment


class LadderForm(SavedValuesForm, forms.Form):
    """The settings that an instructor chooses."""

    half_width = forms.FloatField(
        label="Precision (± points)",
        min_value=0.05,
        max_value=10,
        initial=0.5,
        help_text="An agent needs no more games once its rating is known to ± this many points.",
    )
    max_games = forms.IntegerField(
        label="Maximum games of an agent",
        min_value=10,
        max_value=10_000,
        initial=1000,
        help_text="An agent also needs no more games after this many.",
    )
    versions = forms.IntegerField(
        label="Versions per team",
        min_value=1,
        max_value=10,
        initial=2,
        help_text="How many of a team’s latest accepted submissions play, each with a rating.",
    )
    house_agents = forms.MultipleChoiceField(
        label="House agents",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="They play and have a rating, but no rank.",
    )

    def __init__(
        self, data: QueryDict | None = None, *, assignment: Assignment, ladder: Ladder | None
    ) -> None:
        initial = _usual(assignment) if ladder is None else _values(ladder)
        super().__init__(data, initial=initial)
        field = self.fields["house_agents"]
        if isinstance(field, forms.MultipleChoiceField):
            known = fitting(assignment.rules)
            field.choices = [(name, agent.introduction) for name, agent in known.items()]

    def setting(self) -> LadderSetting:
        """The values, for the service."""
        data = self.cleaned_data
        return LadderSetting(
            half_width=data["half_width"],
            max_games=data["max_games"],
            versions=data["versions"],
            house_agents=tuple(data["house_agents"]),
        )


def _usual(assignment: Assignment) -> dict[str, Any]:
    """The weakest, a middling and the strongest of the quick house agents."""
    quick = [name for name, agent in fitting(assignment.rules).items() if agent.is_quick]
    own = [name for name in quick if not name.startswith("cs221/")] or quick
    chosen = {own[at] for at in (0, len(own) // 2, -1)} if own else set()
    return {"house_agents": sorted(chosen, key=own.index)}


def _values(ladder: Ladder) -> dict[str, Any]:
    house = ladder.entries.active().exclude(house_agent="")
    return {
        "half_width": ladder.half_width,
        "max_games": ladder.max_games,
        "versions": ladder.versions,
        "house_agents": list(house.values_list("house_agent", flat=True)),
    }
