"""The editor: drafts, tries of them, and what nobody else may see or gain by them."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import SOURCE, World
from tests.support.zips import zipped
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.clearing import clear_away
from webapp.flow.lifecycle.services.archiving import archive_course
from webapp.flow.lifecycle.services.retention import remove_expired_course_data, set_retention
from webapp.flow.lifecycle.tables import course_tables
from webapp.grading.evaluations.models import Draft, Evaluation, Kind, Status
from webapp.grading.evaluations.services import tries
from webapp.grading.evaluations.services.drafts import files_of
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.services import join_team, team_for

pytestmark = pytest.mark.django_db

PAGE = "/courses/coop/assignments/hanabi/"
EDITOR = f"{PAGE}editor/"


def send(client: Client, act: str, texts: dict[str, str], **fields: object) -> str:
    """Send the form of the editor, as it is without scripts, and return the page that answers."""
    form = {"act": act, "name": list(texts), "text": list(texts.values()), **fields}
    return text_of(client.post(EDITOR, form, follow=True))


def draft_of(user: User) -> Draft:
    return Draft.objects.get(author=user)


def fields_of(draft: Draft) -> dict[str, object]:
    return {"draft": draft.pk, "revision": draft.revision}


def test_the_kit_is_tried_mended_and_uploaded(world: World) -> None:
    ada = signed_in(world.ada)
    assert "Write it in the browser" in text_of(ada.get(PAGE))
    assert "class MyAgent(Agent):" in text_of(ada.get(EDITOR))
    page = send(ada, "try", {"agent.py": "x = {}['R6']\r\n"})
    assert "Waiting: " in page
    draft = draft_of(world.ada)
    run = draft.tried
    assert run is not None
    assert files_of(draft)["agent.py"] == b"x = {}['R6']\n"
    assert not Submission.objects.exists()
    worlds.play(run, faults=range(3))
    page = text_of(ada.get(f"{EDITOR}?draft={draft.pk}"))
    assert "KeyError: &#x27;R6&#x27;" in page
    assert "Watch game 0 at turn 4" in page
    assert "<script>alert" not in page
    game = text_of(ada.get(f"/evaluations/{run.uuid}/games/0/"))
    assert "your draft" in game
    page = send(ada, "upload", {"agent.py": SOURCE.decode()}, **fields_of(draft))
    submission = Submission.objects.get()
    assert "Submission 1" in page
    worlds.play(submission.evaluations.get(kind="smoke"))
    submission.refresh_from_db()
    draft.refresh_from_db()
    assert (submission.status, draft.origin) == (SubmissionStatus.READY, submission)


def test_a_compilers_message_stands_at_its_line(world: World) -> None:
    ada = signed_in(world.ada)
    send(ada, "try", {"agent.py": "class MyAgent(\n"})
    run = draft_of(world.ada).tried
    assert run is not None
    worlds.reject(run)
    page = text_of(ada.get(f"{EDITOR}?draft={draft_of(world.ada).pk}"))
    assert 'data-file="agent.py" data-line="4"' in " ".join(page.split())
    assert "invalid syntax &lt;b&gt;here&lt;/b&gt;" in page
    rejected = worlds.upload(world, world.ada, data=b"class MyAgent(\n")
    worlds.reject(rejected.evaluations.get())
    page = text_of(ada.get(f"/submissions/{rejected.pk}/"))
    assert f"editor/?submission={rejected.pk}&amp;file=agent.py&amp;line=4" in page
    assert "Fix line 4" not in text_of(signed_in(world.ida).get(f"/submissions/{rejected.pk}/"))
    page = send(ada, "try", {"agent.py": " "}, **fields_of(draft_of(world.ada)))
    assert "empty" in page


def test_a_draft_is_nobody_elses(world: World) -> None:
    send(signed_in(world.ada), "try", {"agent.py": "secret = 1\n"})
    draft = draft_of(world.ada)
    assert draft.tried is not None
    worlds.play(draft.tried, faults=[0])
    own = worlds.upload(world, world.ada)
    addresses = (
        f"{EDITOR}?draft={draft.pk}", f"{EDITOR}?submission={own.pk}",
        f"{EDITOR}{draft.pk}/live/", f"/evaluations/{draft.tried.uuid}/",
        f"/evaluations/{draft.tried.uuid}/games/0/",
        f"/evaluations/{draft.tried.uuid}/games/0/record/",
    )  # fmt: skip
    for user in (world.ben, world.cleo, world.ida):
        client = signed_in(user)
        assert [client.get(each).status_code for each in addresses] == [404] * len(addresses)
        form = {"act": "save", "draft": draft.pk, "name": "agent.py", "text": "x"}
        assert client.post(EDITOR, form).status_code == 404
        assert "secret = 1" not in text_of(client.get(EDITOR))
    assert [signed_in(world.ada).get(each).status_code for each in addresses] == [200] * 6


def test_a_team_shares_a_draft_and_keeps_both_of_two_editions(world: World) -> None:
    team = team_for(user=world.ada, assignment=world.assignment)
    ada, ben = signed_in(world.ada), signed_in(world.ben)
    send(ada, "save", {"agent.py": "first = 1\n"})
    draft = draft_of(world.ada)
    join_team(user=world.ben, assignment=world.assignment, join_code=team.join_code)
    page = text_of(ben.get(f"{EDITOR}?draft={draft.pk}"))
    assert "last edited by Ada Lovelace" in " ".join(page.split())
    send(ben, "save", {"agent.py": "bens = 2\n"}, **fields_of(draft))
    page = send(ada, "save", {"agent.py": "adas = 3\n"}, **fields_of(draft))
    assert "Ben Okri saved a newer edition" in page
    assert "adas = 3" in page
    kept = {files_of(each)["agent.py"] for each in Draft.objects.all()}
    assert kept == {b"bens = 2\n", b"adas = 3\n"}


@pytest.mark.parametrize("way", ["due", "archived", "uploads", "tries", "observer"])
def test_a_draft_is_no_way_round_a_limit(
    world: World, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    ada, assignment = signed_in(world.ada), world.assignment
    send(ada, "save", {"agent.py": SOURCE.decode()})
    draft, acts = draft_of(world.ada), ["try", "upload"]
    if way == "due":
        type(assignment).objects.update(
            opens_at=timezone.now() - timedelta(days=20),
            due_at=timezone.now() - timedelta(days=9),
            practice_after_due=False,
        )
        reason = "The deadline has passed"
    elif way == "archived":
        archive_course(course=world.course, by=world.ida)
        acts, reason = [*acts, "save", "add"], "This course is archived"
    elif way == "uploads":
        type(assignment).objects.update(uploads_per_day=1)
        worlds.upload(world, world.ada)
        acts, reason = ["upload"], "made its 1 upload for today"
    elif way == "tries":
        monkeypatch.setattr(tries, "TRIES_PER_DAY", 1)
        send(ada, "try", {}, **fields_of(draft))
        send(ada, "discard", {}, sure="yes", **fields_of(draft))
        send(ada, "save", {"agent.py": SOURCE.decode()})
        draft, acts, reason = draft_of(world.ada), ["try"], "made its 1 try for today"
    else:
        place = world.course.enrolments.get(user=world.ada)
        place.role = "observer"
        place.save(update_fields=["role"])
        acts, reason = [*acts, "save"], "Observers may only read"
    before = (Submission.objects.count(), Evaluation.with_tries.count())
    for act in acts:
        assert reason in send(ada, act, {"agent.py": "y = 1\n"}, new="b.py", **fields_of(draft)), (
            act
        )
        draft.refresh_from_db()
    assert (Submission.objects.count(), Evaluation.with_tries.count()) == before


def test_a_try_is_in_no_list_no_figure_and_no_file(world: World) -> None:
    ada = signed_in(world.ada)
    send(ada, "try", {"agent.py": SOURCE.decode()})
    first = draft_of(world.ada).tried
    assert first is not None
    send(ada, "try", {}, **fields_of(draft_of(world.ada)))
    first = Evaluation.with_tries.get(pk=first.pk)
    assert first.status == Status.CANCELLED  # one at a time: the newer one replaces it
    run = draft_of(world.ada).tried
    assert run is not None
    worlds.play(run)
    assert Evaluation.with_tries.filter(kind=Kind.TRY).count() == 2
    assert not Evaluation.objects.exists()
    files = [table for table in course_tables() if table.is_exported]
    names = {table.label for table in files if table.exported_rows_of(world.course).exists()}
    assert not names & {"evaluations.draft", "evaluations.evaluation", "evaluations.gameresult"}
    assert str(run.uuid) not in text_of(signed_in(world.ida).get(f"{PAGE}teams/"))
    clear_away(BatchDeadline(None), at=timezone.now() + timedelta(days=8))
    assert not Evaluation.with_tries.exists()
    assert draft_of(world.ada).tried is None


HOSTILE = {
    "agent.py": SOURCE,
    "pic.png": b"\x89PNG\r\n\x1a\n\0\0<script>alert(1)</script>",
    "latin.py": "# caf\xe9".encode("latin-1"),
    "dos.py": b"a = 1\r\n\r\n# caf\xc3\xa9\r\n",
    "</textarea><script>alert(2)</script>.txt": b"\n</textarea><img src=x onerror=alert(3)>",
    "long.txt": b"x" * 200_000,
}


def test_names_and_contents_of_files_stay_text_and_what_is_no_text_is_kept(world: World) -> None:
    ada = signed_in(world.ada)
    submission = worlds.upload(
        world, world.ada, filename="agent.zip", data=zipped(*HOSTILE.items())
    )
    page = text_of(ada.get(f"{EDITOR}?submission={submission.pk}"))
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    before = files_in(submission, ada)
    texts = {
        "agent.py": SOURCE.decode().replace("\n", "\r\n"),
        "dos.py": "a = 2\r\n\r\n# caf\xe9\r\n",
        "latin.py": "broken", "pic.png": "broken", "../../up.py": "x", "/etc/passwd": "x",
    }  # fmt: skip
    send(ada, "save", texts, submission=submission.pk)
    draft = draft_of(world.ada)
    changed = {"dos.py": HOSTILE["dos.py"].replace(b"a = 1", b"a = 2")}
    assert files_of(draft) == before | changed
    for name in ("../up.py", "a/b.py", "agent.py", "AGENT.py", "a\0b.py", "x" * 300):
        page = send(ada, "add", {}, new=name, **fields_of(draft))
        assert "There is a file named" in page or "Give the file a plain name" in page, name
    assert files_of(draft_of(world.ada)) == before | changed


def files_in(submission: Submission, client: Client) -> dict[str, bytes]:
    response = client.get(f"/submissions/{submission.pk}/archive/")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_draft_is_bounded_and_goes_with_the_sources_of_its_course(world: World) -> None:
    ada = signed_in(world.ada)
    for number in range(12):
        page = send(ada, "save", {"agent.py": f"n = {number}\n"})
    assert "as many as are kept" in page
    assert Draft.objects.count() == 10
    send(ada, "try", {}, **fields_of(Draft.objects.latest("pk")))
    at = timezone.now()
    archive_course(course=world.course, by=world.ida, at=at)
    set_retention(course=world.course, by=world.ida, sources_days=3)
    remove_expired_course_data(BatchDeadline(None), at=at + timedelta(days=4))
    assert not Draft.objects.exists()
    assert not Evaluation.with_tries.exists()
