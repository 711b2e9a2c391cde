"""The part of an assignment's form on points: the grading scheme, from means and games won."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.core.games import Game, valid_rules
from grader.house.catalogue import title_of
from grader.results.grading_scheme import Beaten, GradingScheme, Interpolation, Threshold
from webapp.pages.courses.forms.fields import column, text_field
from webapp.pages.courses.forms.play import house_agents
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.references import Reference, measured

SCHEME_FIELDS: Final = (
    "beaten",
    "full_mean",
    "full_points",
    "bonus_points",
    "max_bonus_points",
    "thresholds",
    "interpolation",
)
_HUNDRED: Final = Decimal(100)


def _points_field(
    label: str, initial: str, *, required: bool = True, help_text: str = ""
) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        initial=initial,
        required=required,
        help_text=help_text,
        min_value=0,
        max_digits=8,
        decimal_places=4,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


class SchemeFields(forms.Form):
    """The fields of a grading scheme, and of the grades it gives."""

    rules: type[Game]

    full_mean = _points_field("Mean for full points", "15")
    full_points = _points_field("Full points", "100")
    bonus_points = _points_field(
        "Extra points", "1", help_text="For every full point of the mean above."
    )
    max_bonus_points = _points_field("Maximum extra points", "", required=False)
    thresholds = text_field(
        "Partial points",
        SafeString("One mean and its points per line: <code>10: 50</code>. Empty: none."),
        rows=4,
        css_class="code",
    )
    interpolation = forms.ChoiceField(
        label="Between two lines",
        choices=[
            (Interpolation.STEP, "the points of the lower one"),
            (Interpolation.LINEAR, "proportional"),
        ],
    )

    holds_grades = column("holds_grades")
    weight = column("weight", required=False)

    def fit_scheme(self) -> None:
        """Adapt fields, labels and help texts to the game."""
        if self.rules.lower_is_better:
            self.fields["bonus_points"].help_text = "For every full point of the mean below."
        if self.rules.competitive:
            self.fields["full_mean"].required = False
            self.fields["full_mean"].label = "Mean for further points"
            self.fields["full_points"].label = "Further points"
            self.fields["beaten"] = text_field(
                "Points for opponents",
                format_html(
                    "One per line: opponent, minimum percentage of games won, points, as in"
                    " <code>{}</code>. Points are added up; an opponent may have several lines."
                    " Players who win a game together share it, and 50 means more than half.",
                    _example(self.rules),
                ),
                rows=5,
                css_class="code",
            )

    def clean_thresholds(self) -> str:
        """Refuse a line that is not two numbers."""
        text: str = self.cleaned_data["thresholds"]
        for line in filter(str.strip, text.splitlines()):
            try:
                _threshold(line)
            except (ValueError, InvalidOperation):
                text = f"{line.strip()!r} does not have the form 10: 50"
                raise forms.ValidationError(text) from None
        return text

    def clean_beaten(self) -> str:
        """Refuse a line that is not an opponent and two numbers."""
        text: str = self.cleaned_data["beaten"]
        try:
            beaten_lines(text, self.rules)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None
        return text

    def steps(self) -> tuple[Threshold, ...]:
        """Return the partial points, the worst mean first."""
        lines = filter(str.strip, self.cleaned_data["thresholds"].splitlines())
        steps = sorted(map(_threshold, lines), key=lambda step: step.mean)
        return tuple(steps[::-1] if self.rules.lower_is_better else steps)

    def scheme(self) -> GradingScheme:
        """Return the grading scheme. Raises SchemeError."""
        data = self.cleaned_data
        return GradingScheme(
            full_mean=data["full_mean"],
            fewest_wins=self.rules.lower_is_better,
            beaten=beaten_lines(data.get("beaten", ""), self.rules),
            full_points=data["full_points"],
            bonus_points=data["bonus_points"],
            max_bonus_points=data.get("max_bonus_points"),
            thresholds=self.steps(),
            interpolation=Interpolation(data["interpolation"]),
        )


def _threshold(line: str) -> Threshold:
    mean, points = line.replace(":", " ").split()
    return Threshold(mean=Decimal(mean), points=Decimal(points))


def _example(game: type[Game]) -> str:
    return f"{title_of(house_agents(game)[0])} 50: 20"


def beaten_lines(text: str, game: type[Game]) -> tuple[Beaten, ...]:
    """Read the lines of points. Raises ValueError naming the line that is not like the others."""
    return tuple(_beaten(line, game) for line in filter(str.strip, text.splitlines()))


def _beaten(line: str, game: type[Game]) -> Beaten:
    try:
        opponent, percent, points = line.replace(":", " ").replace("%", " ").rsplit(maxsplit=2)
        titles = {title_of(name): name for name in house_agents(game)}
        opponent = titles.get(opponent, opponent)
        return Beaten(opponent=opponent, won=Decimal(percent) / _HUNDRED, points=Decimal(points))
    except (ValueError, InvalidOperation):
        text = f"{line.strip()!r} does not have the form {_example(game)}"
        raise ValueError(text) from None


def beaten_line(line: Beaten) -> str:
    percent = (_HUNDRED * line.won).normalize()
    return f"{title_of(line.opponent)} {percent:f}: {line.points.normalize():f}"


def scheme_initial(scheme: GradingScheme) -> dict[str, Any]:
    """Return the initial values of the fields of a scheme."""
    return {
        "full_mean": scheme.full_mean,
        "full_points": scheme.full_points,
        "bonus_points": scheme.bonus_points,
        "max_bonus_points": scheme.max_bonus_points,
        "thresholds": "\n".join(f"{step.mean}: {step.points}" for step in scheme.thresholds),
        "interpolation": scheme.interpolation,
        "beaten": "\n".join(map(beaten_line, scheme.beaten)),
    }


def reference_help(
    rules: type[Game], shown: Game, assignment: Assignment | None, played: Sequence[Reference]
) -> SafeString:
    """Return house agents' means: on the assignment's deals if its rules hold, else as measured."""
    is_same = assignment is not None and shown == valid_rules(rules, assignment.options)
    own = played if is_same else ()
    known = own or measured(rules.name, shown.seats)
    if not known:
        none = format_html("No means of house agents are known for {} players.", shown.seats)
        return SafeString("") if rules.competitive and not played else none
    where = "on these graded deals" if own else f"of {shown.seats} players, by the standard rules"
    words = "{:.2f}".format if assignment is None else assignment.scheme.mean_in_words
    means = format_html_join(
        ", ",
        "{} {}",
        ((title_of(reference.name), words(reference.mean)) for reference in known),
    )
    return format_html("House agents {}: {}.", where, means)
