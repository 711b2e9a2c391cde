"""Forms filled with saved values, which do not overwrite newer ones.

Such a form sends back a digest of the values that it was filled from. If other values are saved by
then, nothing is saved: the form says so and names the fields that differ. Sent again, it is saved.
"""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.http import QueryDict

from webapp.base.errors import SAVED_ELSEWHERE
from webapp.pages.watching import digest

SEEN: Final = "seen"
"""The field with the digest of the values that a form was filled from."""


class SavedValuesForm(forms.BaseForm):
    """A base of forms whose ``initial`` holds saved values."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.saved_digest = digest_of(self.initial)
        self.fields[SEEN] = forms.CharField(
            required=False,
            initial=self.saved_digest,
            widget=forms.HiddenInput(attrs={"id": False}),  # a page can have several such forms
        )

    @property
    def is_outdated(self) -> bool:
        """True if other values were saved since this form was shown."""
        return bool(self.data.get(self.add_prefix(SEEN), self.saved_digest) != self.saved_digest)

    def clean(self) -> dict[str, Any]:
        """Refuse the values of an outdated form, once."""
        cleaned = super().clean() or self.cleaned_data
        cleaned.pop(SEEN, None)
        if self.is_outdated:
            self.add_error(None, self.outdated_words())
            self._note_told()
        return cleaned

    def outdated_words(self) -> str:
        """Say that nothing was saved, and what saving again would change."""
        return f"{SAVED_ELSEWHERE} {differences_in_words(self)}"

    def _note_told(self) -> None:
        """Have the form shown again with the digest of what is saved now."""
        if isinstance(self.data, QueryDict):
            self.data = self.data.copy()
            self.data[self.add_prefix(SEEN)] = self.saved_digest


def digest_of(values: Mapping[str, object]) -> str:
    """Return the digest of saved values for a form."""
    return digest(sorted(values.items()))


def differences_in_words(form: forms.BaseForm) -> str:
    """Name the fields of a form that differ from the saved values."""
    labels = [str(form[name].label) for name in form.changed_data if name in form.initial]
    differ = f"These fields differ: {', '.join(labels)}." if labels else "Nothing differs."
    return f"{differ} Saving again keeps what is below."
