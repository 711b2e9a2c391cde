"""The form that starts a tournament. It reads and shows; the service decides."""

from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django import forms

from grader.core.errors import RulesError
from grader.core.games import game_from_options
from grader.house.catalogue import fitting
from grader.tournament import Consequence, Policy
from webapp.contests.tournaments.services import TournamentSetting
from webapp.grading.gradebook.models import MAX_MANUAL
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.models.assignment import MAX_AUDITED

MAX_SEATS: Final = 10
LENGTHS: Final = (
    ("rounds", "rounds"),
    ("games", "games in all, at least"),
    ("half_width", "points of precision (±)"),
)
CONSEQUENCES: Final = (
    (Consequence.PENALISED.value, "only counts as a faulted game"),
    (Consequence.COUNTED.value, "also counts towards removal"),
    (Consequence.REMOVED.value, "removes the agent at once"),
)


def sizes_of(assignment: Assignment) -> Iterator[int]:
    """Yield the numbers of seats that the rules allow."""
    for size in range(1, MAX_SEATS + 1):
        with suppress(RulesError):
            game_from_options(assignment.game, {**assignment.options, "players": size})
            yield size


class TournamentForm(forms.Form):
    """An instructor's choices for a tournament."""

    title = forms.CharField(max_length=120, help_text="Shown to the course once you release it.")
    sizes = forms.MultipleChoiceField(
        label="Seats at a table",
        widget=forms.CheckboxSelectMultiple,
        help_text="With several sizes, rounds alternate between them.",
        error_messages={"required": "Choose at least one."},
    )
    length = forms.FloatField(
        label="Length",
        min_value=0.01,
        max_value=1_000_000,
        initial=25,
        help_text="In a round every agent plays at one table. Games and precision are rounded up to"
        " whole rounds. With a precision, every mean is known to ± this many points.",
    )
    length_of = forms.ChoiceField(label="Unit of the length", choices=LENGTHS)
    games_per_table = forms.IntegerField(
        label="Games at a table",
        min_value=1,
        max_value=1000,
        help_text="Games that the agents of a table play before the next round. More games at"
        " fewer tables are faster, but leave more luck of partners in the result.",
    )
    rotated = forms.BooleanField(
        label="Play every deal once from each seat",
        required=False,
        help_text="The games at a table must then be a multiple of the seats.",
    )
    duplicates = forms.BooleanField(
        label="Allow an agent more than once at a table", required=False
    )
    self_play_games = forms.IntegerField(
        label="Games with itself",
        min_value=0,
        max_value=1000,
        initial=0,
        help_text="In addition, each agent first plays this many games with copies of itself. They"
        " do not affect ranks.",
    )
    fillers = forms.MultipleChoiceField(
        label="House agents for empty seats",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="They also take seats of removed agents. Without any, teams that do not fill a"
        " table sit out in turn.",
    )
    references = forms.MultipleChoiceField(
        label="House agents for comparison",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="They play all rounds, but are not ranked.",
    )
    faults_to_removal = forms.IntegerField(
        label="Faults before an agent is removed",
        min_value=0,
        max_value=10_000,
        initial=3,
        help_text="0: never. A game with a fault is played again without the agent at fault. If"
        " many faults are allowed, an agent can help a friend by ending a bad game.",
    )
    overtime = forms.ChoiceField(
        label="If an agent exceeds its time",
        choices=CONSEQUENCES,
        initial=Consequence.COUNTED.value,
    )
    forbidden = forms.ChoiceField(
        label="If an agent tries something forbidden",
        choices=CONSEQUENCES,
        initial=Consequence.REMOVED.value,
    )

    GROUPS = (
        ("Tournament", ("title",)),
        ("Tables", ("sizes", "games_per_table", "rotated", "duplicates")),
        ("Length", ("length", "length_of", "self_play_games")),
        ("House agents", ("fillers", "references")),
        ("Faults", ("faults_to_removal", "overtime", "forbidden")),
    )

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        seats = assignment.rules.seats
        number = assignment.tournaments.count() + 1
        initial = {"title": f"Tournament {number}", "sizes": [str(seats)], "games_per_table": seats}
        super().__init__(*args, **{"initial": initial, **kwargs})
        known = fitting(assignment.rules)
        house = [(name, agent.introduction) for name, agent in known.items()]
        sizes = [(str(size), str(size)) for size in sizes_of(assignment)]
        for name, choices in (("sizes", sizes), ("fillers", house), ("references", house)):
            field = self.fields[name]
            if isinstance(field, forms.MultipleChoiceField):
                field.choices = choices

    @property
    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Fields under their headings."""
        return [(legend, [self[name] for name in names]) for legend, names in self.GROUPS]

    def clean(self) -> dict[str, Any]:
        """A house agent plays all rounds or fills: not both."""
        data = super().clean() or self.cleaned_data
        if both := set(data.get("fillers", ())) & set(data.get("references", ())):
            self.add_error("fillers", f"{', '.join(sorted(both))} cannot do both.")
        return data

    def setting(self) -> TournamentSetting:
        """The values, for the service."""
        data = self.cleaned_data
        length, unit = data["length"], data["length_of"]
        return TournamentSetting(
            sizes=tuple(map(int, data["sizes"])),
            rounds=max(1, round(length)) if unit == "rounds" else None,
            games=max(1, round(length)) if unit == "games" else None,
            half_width=length if unit == "half_width" else None,
            games_per_table=data["games_per_table"],
            rotated=data["rotated"],
            duplicates=data["duplicates"],
            self_play_games=data["self_play_games"],
            policy=Policy(
                faults_to_removal=data["faults_to_removal"],
                overtime=Consequence(data["overtime"]),
                forbidden=Consequence(data["forbidden"]),
            ),
            references=tuple(data["references"]),
            fillers=tuple(data["fillers"]),
        )


class PlacePointsForm(forms.Form):
    """Points for the first places."""

    points = forms.CharField(
        label="Points by rank",
        max_length=200,
        help_text="Beginning with the first rank, for example 10, 8, 6."
        " Teams that share a rank get its points.",
    )

    def clean_points(self) -> list[Decimal]:
        """Read the numbers; raise ValidationError naming one that is invalid."""
        given = [part.strip() for part in self.cleaned_data["points"].split(",") if part.strip()]
        try:
            numbers = [Decimal(part).quantize(Decimal("0.01")) for part in given]
        except InvalidOperation:
            raise forms.ValidationError(
                "Enter numbers separated by commas, such as 10, 8, 6."
            ) from None
        if not all(number.is_finite() and 0 <= number <= MAX_MANUAL for number in numbers):
            raise forms.ValidationError(f"Points for a rank are from 0 to {MAX_MANUAL:,}.")
        return numbers


class AuditForm(forms.Form):
    """The size of a tournament's replay audit."""

    games = forms.IntegerField(
        label="Games of each agent",
        min_value=1,
        max_value=MAX_AUDITED,
        help_text="Graders need up to 12 seconds for each, when no other games wait.",
    )


class ExclusionForm(forms.Form):
    """The removal of a participant: when, and why."""

    reason = forms.CharField(
        max_length=200,
        error_messages={"required": "Give a reason, so that everybody can understand it later."},
        help_text="Shown beside its name to everybody who sees the tournament.",
    )
    how = forms.ChoiceField(
        label="Starting",
        help_text="From the beginning: its games are void, and played again without it.",
        choices=(
            ("withdraw", "from the next round on"),
            ("disqualify", "from the beginning"),
        ),
    )
