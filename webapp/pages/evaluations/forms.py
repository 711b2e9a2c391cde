"""The form that chooses two agents to be compared."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final

from django import forms

from webapp.grading.evaluations.comparing import COMPARED_KINDS, comparable, pair_of
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.models.evaluation import EvaluationQuerySet
from webapp.teaching.courses.models import Assignment

NOT_THE_SAME: Final = "These two did not play the same deals. Choose one from this list."
NOTHING_TO_COMPARE: Final = (
    "No other evaluation has played these deals yet. Choose another agent above."
)
NOTHING_IN_COMMON: Final = "On the deals that both played, no game was finished."


class CompareForm(forms.Form):
    """Two evaluations that the user may see: the second on deals of the first."""

    a = forms.ChoiceField(
        label="Agent",
        widget=forms.Select(
            attrs={
                "hx-get": "",
                "hx-target": "#id_b",
                "hx-select": "#id_b",
                "hx-swap": "outerHTML",
            }
        ),
    )
    b = forms.ChoiceField(
        label="Compared with",
        error_messages={"invalid_choice": NOT_THE_SAME},
        help_text="Evaluations on the same deals, by the same rules.",
    )

    def __init__(self, *args: Any, choices: Mapping[str, Evaluation], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices = choices
        first = choices.get(self.data.get("a", "")) or next(iter(choices.values()), None)
        others = {
            name: evaluation
            for name, evaluation in choices.items()
            if first is not None and evaluation.pk != first.pk and comparable(first, evaluation)
        }
        if not others:
            self.fields["b"].help_text = NOTHING_TO_COMPARE
        for name, some in (("a", choices), ("b", others)):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = _listed(some)

    def clean(self) -> dict[str, Any]:
        """Refuse two of which no game on a common deal was played to its end.

        ``pair`` is the first over the second.
        """
        data = super().clean() or self.cleaned_data
        if not self.errors:
            a, b = self._choices[data["a"]], self._choices[data["b"]]
            data["pair"] = pair_of(a, b)
            if data["pair"] is None:
                self.add_error("b", NOTHING_IN_COMMON)
        return data


def choices_of(offered: EvaluationQuerySet, assignment: Assignment) -> dict[str, Evaluation]:
    """Return an assignment's evaluations that can be compared with any, by their public names."""
    played = offered.filter(assignment=assignment, kind__in=COMPARED_KINDS, mean__isnull=False)
    order = ("kind", "house_agent", "submission__team__name", "-submission__number")
    related = played.select_related("submission__team", "assignment")
    return {str(evaluation.uuid): evaluation for evaluation in related.order_by(*order)}


def _listed(choices: Mapping[str, Evaluation]) -> list[tuple[str, list[tuple[str, str]]]]:
    groups = groupby(choices.items(), key=lambda item: item[1].get_kind_display())
    return [
        (kind.capitalize(), [(name, _label(evaluation)) for name, evaluation in some])
        for kind, some in groups
    ]


def _label(evaluation: Evaluation) -> str:
    """Name an evaluation with its kind: a closed list shows no group headings."""
    run = f"{evaluation.agent_name}, {evaluation.get_kind_display()}"
    if evaluation.mean is None:
        return f"{run}: –"
    return f"{run}: {evaluation.assignment.scheme.mean_in_words(evaluation.mean)}"
