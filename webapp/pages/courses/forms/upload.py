"""The upload form. The file is checked when it is accepted, not here."""

from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.interfaces import interface_named
from webapp.base.interfaces import ANY, accepted_files, short_title, upload_words
from webapp.grading.operations.selectors import images_awaited
from webapp.grading.submissions.services import upload_limits
from webapp.teaching.courses.models import Assignment

_BEING_BUILT: Final = (
    " The graders’ image for it is still being built: an upload waits until it is there."
)


class UploadForm(forms.Form):
    """One file, for one of the assignment's interfaces."""

    file = forms.FileField(
        label="Agent",
        max_length=120,
        error_messages={
            "required": "Choose a file first.",
            "empty": "This file is empty.",
            "max_length": "This file's name is too long: at most 120 characters.",
        },
    )

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        """With several interfaces there is a field to choose one."""
        super().__init__(*args, **kwargs)
        names = assignment.interfaces
        file = self.fields["file"]
        file.widget.attrs["accept"] = accepted_files(names)
        file.help_text = _what_to_upload(names)
        if len(names) > 1:
            self.fields["interface"] = forms.ChoiceField(
                label="Written for",
                choices=[
                    (ANY, "recognise from the sources"),
                    *((name, short_title(name)) for name in names),
                ],
                required=False,
            )
        else:
            file.label = f"Agent: {short_title(names[0])}"
        if any(interface_named(name).upload.names_class for name in names):
            self.fields["agent_class"] = forms.CharField(
                label="Class that plays",
                required=False,
                max_length=100,
                help_text="Only if several classes in your sources could play.",
                widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
            )

    @property
    def max_bytes(self) -> int:
        """The largest file that can be accepted: a zip with much that no agent reads."""
        return upload_limits().archive_bytes

    def clean_file(self) -> "UploadedFile[Any]":
        """Refuse a file that is too large before anybody reads it."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        size, is_zip = file.size or 0, (file.name or "").lower().endswith(".zip")
        most = self.max_bytes if is_zip else settings.MAX_UPLOAD_BYTES
        if size > most:
            raise forms.ValidationError(
                f"The file has {size} bytes; at most {most} are allowed."
                " Leave out what the agent does not need."
            )
        return file


def _what_to_upload(names: list[str]) -> SafeString:
    if len(names) == 1:
        return upload_words(names[0])
    awaited = images_awaited()
    rows = (
        (
            short_title(name),
            upload_words(name),
            _BEING_BUILT if awaited & set(interface_named(name).images) else "",
        )
        for name in names
    )
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{}: {}{}</li>", rows))
