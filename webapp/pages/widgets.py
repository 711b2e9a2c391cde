"""Widgets of forms."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms

STEERS: Final = {"data-steers": ""}
"""Attributes of an input whose change refreshes other fields."""


class TextArea(forms.Textarea):
    """A box for several lines of text.

    Browsers count a line break as one character, and send two. Here it is one, so that a text that
    fits into the box is not refused.
    """

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """Return the text with line feeds alone."""
        value = super().value_from_datadict(data, files, name)
        return value.replace("\r\n", "\n") if isinstance(value, str) else value
