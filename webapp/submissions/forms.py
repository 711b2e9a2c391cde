"""The upload form. What the file may be is decided when it is accepted."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile


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
        return settings.MAX_UPLOAD_BYTES

    def clean_file(self) -> "UploadedFile[Any]":
        """Refuse a file that is too large before anybody reads it."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        size = file.size or 0
        if size > self.max_bytes:
            raise forms.ValidationError(
                f"The file has {size} bytes; at most {self.max_bytes} are allowed."
                " Leave out what the agent does not need."
            )
        return file
