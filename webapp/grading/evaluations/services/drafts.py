"""Drafts: read from a submission or a starter kit, saved, and removed.

Names of files come from what was read, never from a form; a new file's name is checked.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction

from grader.core.words import counted
from grader.interfaces.starter_kit import starter_files
from grader.uploads.archive import SourceFile, Sources, read_archive
from grader.uploads.zip_names import is_plain
from webapp.base.errors import NotAllowed, Refused
from webapp.base.interfaces import short_title
from webapp.grading.evaluations.models import Draft
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import archive
from webapp.grading.submissions.services import File, upload_limits
from webapp.people.accounts.models import User
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import is_own_team, require_participant
from webapp.teaching.courses.selectors import team_of

MAX_DRAFTS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftOrigin:
    """The beginning of a draft: a submission, or the starter kit of an interface."""

    assignment: Assignment
    interface: str
    submission: Submission | None = None

    def files(self) -> dict[str, bytes]:
        """Return the files by name, sorted. Raises Refused if there are none to be had."""
        if self.submission is not None:
            return _by_name(read_archive(archive(self.submission)))
        rules = self.assignment.rules
        try:
            kit = starter_files(rules.name, rules.options, library=False, interface=self.interface)
        except LookupError as error:
            title = short_title(self.interface)
            raise Refused(f"There is no starter kit for agents in this yet: {title}.") from error
        return dict(kit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    draft: Draft
    instead_of: Draft | None = None
    """The newer edition that somebody else had saved: it stays, and this is a draft beside it."""


def files_of(draft: Draft) -> dict[str, bytes]:
    """Return a draft's files by name, sorted."""
    return _by_name(read_archive(zlib.decompress(bytes(draft.data))))


def _by_name(sources: Sources) -> dict[str, bytes]:
    return {file.name: file.data for file in sources.files}


def editable_texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the files that can be edited as text, as long as one form can carry them."""
    # Half of what a request may have: the texts may grow, and browsers send CRLF for every LF.
    room = settings.MAX_UPLOAD_BYTES // 2
    texts: dict[str, str] = {}
    for name, data in sorted(files.items(), key=lambda item: len(item[1])):
        room -= len(data) + data.count(b"\n")
        if room < 0 or b"\0" in data:
            continue
        try:
            texts[name] = data.decode()
        except UnicodeDecodeError:
            continue
    return texts


def edited(files: Mapping[str, bytes], texts: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files with these texts, as browsers send them; the names of others are ignored."""
    editable = editable_texts(files)
    wanted = {name: text for name, text in texts.items() if name in editable}
    return {**files, **{name: _bytes(editable[name], text) for name, text in wanted.items()}}


def _bytes(before: str, text: str) -> bytes:
    """Return a text with the ends of lines that its file had; the same bytes if nothing changed."""
    plain = _with_newlines(text.replace("\0", ""))
    if plain == _with_newlines(before):
        return before.encode()
    return (plain.replace("\n", "\r\n") if "\r\n" in before else plain).encode()


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def with_new_file(files: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """Add an empty file. Raises Refused for a name that an upload may not have."""
    if not is_plain(name) or len(name) > 100:
        raise Refused("Give the file a plain name such as helper.py, without folders.")
    if name.lower() in {known.lower() for known in files}:
        raise Refused(f"There is a file named {name} already.")
    return {**files, name: b""}


@transaction.atomic
def save_draft(
    *,
    draft: Draft | None,
    origin: DraftOrigin,
    files: Mapping[str, bytes],
    revision: int,
    user: User,
    at: datetime,
) -> Saved:
    """Save a draft; without one, a new one.

    ``revision``: the one that the user has seen. If somebody has saved a newer one, that stays, and
    this becomes a draft of the user's own. Raises NotAllowed, Refused.
    """
    if draft is None:
        require_origin(user, origin)
    require_participant(user, origin.assignment.course)
    data = _packed(files)
    lock(origin.assignment)  # two who save at the same moment, or one with two windows
    if draft is not None:
        draft = Draft.objects.of(user).filter(pk=draft.pk).first()
    if draft is None:
        return Saved(draft=_new(origin, data, user, at))
    if files_of(draft) == files:
        return Saved(draft=draft)
    if draft.revision != revision:
        return Saved(draft=_new(origin, data, user, at), instead_of=draft)
    draft.data, draft.revision = data, revision + 1
    draft.edited_by, draft.edited_at = user, at
    draft.team = team_of(draft.author, draft.assignment)
    draft.save(update_fields=["data", "revision", "edited_by", "edited_at", "team"])
    return Saved(draft=draft)


def require_origin(user: User, origin: DraftOrigin) -> None:
    """Raise NotAllowed unless the user may write here from this origin; Refused."""
    require_participant(user, origin.assignment.course)
    if origin.submission is not None and not is_own_team(user, origin.submission.team):
        raise NotAllowed("Only its team edits a submission.")
    if origin.interface not in origin.assignment.interfaces:
        raise Refused("This assignment does not take agents written for this interface.")


def _packed(files: Mapping[str, bytes]) -> bytes:
    limits = upload_limits()
    if len(files) > limits.files:
        raise Refused(f"A draft has {limits.files} files at most, as an upload.")
    size = sum(map(len, files.values()))
    sources = Sources(tuple(SourceFile(name, files[name]) for name in sorted(files)))
    packed = zlib.compress(sources.archive()) if size <= limits.unpacked_bytes else b""
    if not packed or len(packed) > limits.packed_bytes:
        raise Refused(
            f"The draft was not saved: its files have {size} bytes, more than an upload may have."
        )
    return packed


def _new(origin: DraftOrigin, data: bytes, user: User, at: datetime) -> Draft:
    own = Draft.objects.filter(assignment=origin.assignment, author=user)
    if own.count() >= MAX_DRAFTS:
        raise Refused(
            f"You have {counted(MAX_DRAFTS, 'draft')} of this assignment, as many as are kept."
            " Discard one first."
        )
    return Draft.objects.create(
        assignment=origin.assignment,
        author=user,
        team=team_of(user, origin.assignment),
        origin=origin.submission,
        interface=origin.interface,
        data=data,
        edited_by=user,
        edited_at=at,
    )


def as_file(draft: Draft) -> File:
    """Return a draft as a person would upload it: one file by its name, several as a zip."""
    files = files_of(draft)
    if len(files) == 1:
        (name, data), *_ = files.items()
    else:
        name, data = "draft.zip", zlib.decompress(bytes(draft.data))
    return File(filename=name, data=data, interface=draft.interface)


def move_to(draft: Draft, submission: Submission) -> None:
    """Note that a draft has become a submission, from which it goes on."""
    Draft.objects.filter(pk=draft.pk).update(origin=submission, team=submission.team)


def discard_draft(*, draft: Draft, user: User) -> None:
    """Delete a draft; its tries stay among the tries of the day. Only its author may."""
    require_participant(user, draft.assignment.course)
    if draft.author_id != user.pk:
        raise NotAllowed("Only the author of a draft discards it.")
    draft.delete()
