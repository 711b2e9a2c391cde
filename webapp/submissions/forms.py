"""The upload form. What the file may be is decided when it is accepted."""

from django import forms
from django.conf import settings

from grader.archive import DEFAULT_LIMITS


class UploadForm(forms.Form):
    """One file: a ``.py`` or a zip."""

    file = forms.FileField(
        label="Agent",
        max_length=120,
        help_text="One <code>.py</code> file, or a zip with <code>agent.py</code> at its top.",
        widget=forms.FileInput(attrs={"accept": ".py,.zip"}),
        error_messages={
            "required": "Choose a file first.",
            "empty": "This file is empty.",
            "max_length": "This file's name is too long: at most 120 characters.",
        },
    )

    @property
    def max_bytes(self) -> int:
        """The largest upload that can be accepted."""
        return min(settings.MAX_UPLOAD_BYTES, DEFAULT_LIMITS.packed_bytes)
