"""The form for the seats of a person's game."""

from collections.abc import Mapping
from typing import Any

from django import forms

from grader.core.games import Game, player_counts
from grader.core.words import seat_words
from webapp.contests.playing.models import Occupant
from webapp.contests.playing.selectors import default_agent
from webapp.contests.playing.visitors import agents_for
from webapp.pages.widgets import STEERS


class SeatsForm(forms.Form):
    """The person's seat, and an agent for each of the others, in the order of the seats."""

    seat = forms.TypedChoiceField(label="Your seat", coerce=int)

    def __init__(
        self, *args: Any, rules: Game, agents: Mapping[str, Occupant], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        seats = self.fields["seat"]
        seats.choices = [(seat, seat_words(seat).capitalize()) for seat in range(rules.seats)]  # type: ignore[attr-defined]  # a choice field
        for number in range(1, rules.seats):
            self.fields[f"agent{number}"] = forms.ChoiceField(
                label="Agent" if rules.seats == 2 else f"Agent {number}",
                choices=[(key, agent.label) for key, agent in agents.items()],
                initial=default_agent(agents),
            )

    def agents(self) -> list[str]:
        """The keys of the agents, in the order of their seats."""
        return [value for name, value in self.cleaned_data.items() if name.startswith("agent")]


class TableForm(SeatsForm):
    """The table of a visitor: the rules, the number of players, and who sits where."""

    def __init__(self, data: Mapping[str, Any], *, rules: Game, is_sent: bool) -> None:
        super().__init__(
            data if is_sent else None,
            rules=rules,
            agents=agents_for(rules),
            initial=data,
            auto_id=f"{rules.name}-%s",
        )
        self.rules = rules
        variant = rules.options["variant"]
        counts = player_counts(type(rules), variant)
        self.fields["variant"] = forms.ChoiceField(
            label="Rules",
            choices=[(name, rules.variant_title(name)) for name in rules.variants()],
            initial=variant,
            widget=forms.Select(attrs=STEERS),
        )
        self.fields["players"] = forms.ChoiceField(
            label="Players",
            choices=[(str(n), str(n)) for n in counts],
            initial=str(rules.seats),
            widget=forms.Select(attrs=STEERS),
        )
        self.order_fields(["players", "variant", "seat"])
