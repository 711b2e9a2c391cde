"""The download of everything about one person: a zip archive with a manifest."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator

from django.db.models import Q
from django.utils import timezone
from django.utils.text import get_valid_filename

from webapp.accounts.models import User
from webapp.pages.accounts.export import everything_about, uploads_of
from webapp.submissions.models import KeptUpload, Submission
from webapp.submissions.selectors import archive as read_upload


def archive_about(user: User) -> bytes:
    """Return ``everything.json``, the programs of the person's teams, and ``manifest.json``.

    Raises SystemFault if the store fails.
    """
    data, listed = io.BytesIO(), []
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(user):
            archive.writestr(name, content)
            digest = hashlib.sha256(content).hexdigest()
            listed.append({"name": name, "bytes": len(content), "sha256": digest})
        manifest = {"about": user.email, "made_at": timezone.now().isoformat(), "files": listed}
        archive.writestr("manifest.json", json.dumps(manifest, indent=2))
    return data.getvalue()


def _files(user: User) -> Iterator[tuple[str, bytes]]:
    yield "everything.json", everything_about(user).encode()
    uploads = uploads_of(user).with_sources()
    # A team's programs are not handed out once the person has left the course; their own are.
    visible = Q(uploaded_by=user) | Q(pk__in=Submission.objects.visible_to(user).values("pk"))
    for upload in uploads.filter(visible).select_related("team__assignment__course").order_by("pk"):
        assignment = upload.team.assignment
        folder = f"programs/{assignment.course.slug}/{assignment.slug}"
        yield f"{folder}/submission-{upload.number}.zip", read_upload(upload)
    kept = KeptUpload.objects.filter(user=user).select_related("assignment__course").order_by("pk")
    for file in kept:
        folder = f"kept/{file.assignment.course.slug}/{file.assignment.slug}"
        yield f"{folder}/{get_valid_filename(file.filename)}", bytes(file.data)
