"""The form for the seats of a person's game."""

from collections.abc import Mapping
from typing import Any

from django import forms

from grader.core.games import Game
from grader.core.words import seat_words
from webapp.contests.playing.models import Occupant
from webapp.contests.playing.visitors import Offer


class SeatsForm(forms.Form):
    """The person's seat, and an agent for each of the others, in the order of the seats."""

    seat = forms.TypedChoiceField(label="Your seat", coerce=int)

    def __init__(
        self, *args: Any, rules: Game, agents: Mapping[str, Occupant], **kwargs: Any
    ) -> None:
        """``agents`` may be chosen; the last is the usual one."""
        super().__init__(*args, **kwargs)
        seats = self.fields["seat"]
        seats.choices = [(seat, seat_words(seat).capitalize()) for seat in range(rules.seats)]  # type: ignore[attr-defined]  # a choice field
        for number in range(1, rules.seats):
            self.fields[f"agent{number}"] = forms.ChoiceField(
                label="Agent" if rules.seats == 2 else f"Agent {number}",
                choices=[(key, _label(agent)) for key, agent in agents.items()],
                initial=next(reversed(list(agents)), None),
            )

    def agents(self) -> list[str]:
        """The keys of the agents, in the order of their seats."""
        return [value for name, value in self.cleaned_data.items() if name.startswith("agent")]


class VisitorForm(forms.Form):
    """A house agent to play one game with. The strongest is the usual one."""

    agent = forms.ChoiceField()

    def __init__(self, offer: Offer) -> None:
        """Show the offered choices; the service checks the answers."""
        super().__init__(auto_id=f"{offer.rules.name}-%s")
        self.offer = offer
        field = self.fields["agent"]
        field.label = "Agent" if offer.rules.seats == 2 else "Agent in the other seats"
        field.choices = [(name, name) for name in offer.agents]  # type: ignore[attr-defined]  # a choice field
        field.initial = offer.agents[-1]


def _label(occupant: Occupant) -> str:
    return f"{occupant.name} (slower: a grader plays it)" if occupant.sandboxed else occupant.name
