"""The site's exceptions: a service refuses a request, with a message for the page.

SiteError
├── NotAllowed       this person may not do that (403)
└── Refused          the present state or the input does not permit it (409, or beside the form)
    └── UploadRefused    the file cannot be an agent; ``messages`` say where and why
"""

from dataclasses import dataclass

NO_REASON = "Give a reason, so that everybody can understand it later."
"""The refusal of an act that has to be explained."""

SAVED_ELSEWHERE = (
    "These values have been saved elsewhere since you opened this page, so yours were not saved."
)
"""The refusal to overwrite a value that the person has not seen."""

CHANGED_SINCE = (
    "This has been changed again since then, so it cannot be undone. Nothing was changed."
)
"""The refusal to undo an act that others have followed."""


class SiteError(Exception):
    """The base of all refusals by services; ``str(error)`` is a sentence for the user."""


class NotAllowed(SiteError):  # noqa: N818 - reads as what it says
    """The person is not entitled to this."""


class Refused(SiteError):  # noqa: N818 - reads as what it says
    """It cannot be done now, or not with these values; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMessage:
    """One complaint about an uploaded file."""

    file: str
    text: str


class UploadRefused(Refused):
    """The upload is not something we can run. Nothing was stored."""

    def __init__(self, messages: tuple[SourceMessage, ...]) -> None:
        super().__init__("; ".join(message.text for message in messages))
        self.messages = messages
