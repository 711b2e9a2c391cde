"""The filters of the audit log."""

from datetime import date, datetime, time, timedelta

from django import forms
from django.utils import timezone

from webapp.pages.addresses import query_of
from webapp.people.auditlog.selectors import WantedActs, kind_choices
from webapp.teaching.courses.models import Course


class Filters(forms.Form):
    """People, kinds and a period. A field that makes no sense filters nothing."""

    q = forms.CharField(
        label="Person or word",
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    kind = forms.ChoiceField(label="Kind", required=False)
    since = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        kind = self.fields["kind"]
        if isinstance(kind, forms.ChoiceField):
            kind.choices = [("", "every kind"), *kind_choices()]

    def wanted(self, course: Course | None) -> WantedActs:
        """Return the filters, days in the active time zone."""
        self.is_valid()
        entered = self.cleaned_data
        until = entered.get("until")
        return WantedActs(
            course=course,
            words=entered.get("q", "").replace("\0", ""),
            kind=entered.get("kind", ""),
            since=_midnight(entered.get("since")),
            until=_midnight(until + timedelta(days=1) if until else None),
        )

    def query(self) -> str:
        """Return the filters as a query string that ends with ``&``."""
        return query_of({name: self.data.get(name, "") for name in self.fields})


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else timezone.make_aware(datetime.combine(day, time()))
