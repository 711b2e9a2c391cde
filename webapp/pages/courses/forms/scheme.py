"""The part of an assignment's form about the grading scheme, which turns means into points."""

from decimal import Decimal, InvalidOperation
from typing import Final

from django import forms

from grader.core.games import Game
from grader.results.evaluation import GradingScheme, Interpolation, Threshold
from webapp.pages.courses.forms.fields import points_field, text_field
from webapp.pages.courses.forms.opponents import beaten_lines

SCHEME_FIELDS: Final = (
    "beaten",
    "full_mean",
    "full_points",
    "bonus_points",
    "max_bonus_points",
    "thresholds",
    "interpolation",
)


class SchemeFields(forms.Form):
    """The fields of a grading scheme. ``beaten`` is added where there are opponents."""

    rules: type[Game]

    full_mean = points_field("Mean for full points", "15")
    full_points = points_field("Full points", "100")
    bonus_points = points_field(
        "Extra points", "1", help_text="For every full point of the mean above."
    )
    max_bonus_points = points_field("Maximum extra points", "", required=False)
    thresholds = text_field(
        "Partial points",
        "One mean and its points per line: <code>10: 50</code>. Empty: none.",
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

    def fit_scheme(self) -> None:
        """Adapt labels and help texts to the game."""
        if self.rules.lower_is_better:
            self.fields["bonus_points"].help_text = "For every full point of the mean below."
        if self.rules.competitive:
            self.fields["full_mean"].required = False
            self.fields["full_mean"].label = "Mean for further points"
            self.fields["full_points"].label = "Further points"

    def clean_thresholds(self) -> str:
        """Refuse a line that is not two numbers, and say which."""
        text: str = self.cleaned_data["thresholds"]
        for line in filter(str.strip, text.splitlines()):
            try:
                _threshold(line)
            except (ValueError, InvalidOperation):
                text = f"{line.strip()!r} does not have the form 10: 50"
                raise forms.ValidationError(text) from None
        return text

    def clean_beaten(self) -> str:
        """Refuse a line that is not an opponent and two numbers, and say which."""
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
    """Parse ``10: 50`` as mean and points. Raises ValueError or InvalidOperation."""
    mean, points = line.replace(":", " ").split()
    return Threshold(mean=Decimal(mean), points=Decimal(points))
