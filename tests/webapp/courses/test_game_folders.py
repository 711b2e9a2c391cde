"""Games that staff upload, on the site: rights, what is refused, what an assignment may have."""

import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import date
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from grader.core.errors import GameFault, RecordError
from grader.core.folder_check import GameCheckReport, GameProblem
from grader.core.games.uploaded import facts_digest, read_facts
from tests.support import world as worlds
from tests.support.every import every
from tests.support.game_folders import FACTS, checked_folder, zipped
from tests.support.html_forms import form_with
from tests.support.pages import signed_in
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.game_versions import grade_again
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.services.archiving import archive_course
from webapp.flow.lifecycle.services.copying import CopyPlan, copy_course
from webapp.flow.lifecycle.services.importing import import_course
from webapp.grading import game_folders
from webapp.grading.evaluations.models import GradingRun
from webapp.grading.evaluations.services.jobs import EvaluationJobs
from webapp.grading.game_folders import (
    ANSWER_WITHIN,
    check_again,
    record_check,
    request_of,
    upload_game,
)
from webapp.teaching.courses.models import Assignment, GameFolder, KnownGame
from webapp.teaching.courses.services import create_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.course]


def test_a_folder_is_taken_checked_and_offered_to_its_own_course_alone() -> None:
    world = worlds.make()
    client, address = signed_in(world.ida), f"/courses/{world.course.slug}/games/"
    file = SimpleUploadedFile("tic_tac_toe.zip", zipped())
    page = client.post(address, {"file": file}, follow=True).content.decode()
    assert "A grader is checking the game" in page
    folder = GameFolder.objects.get()
    request = request_of(folder)
    problem = GameProblem(problem="It <b>hangs</b>.", repair="Let every loop end.")
    report = GameCheckReport(check=request.check, problems=(problem,), request=request.digest())
    with pytest.raises(RecordError, match="another folder"):
        record_check(replace(report, request="0" * 64))
    record_check(report)
    page = client.get(f"{address}{folder.sha256}/").content.decode()
    assert "It &lt;b&gt;hangs&lt;/b&gt;." in page
    assert not KnownGame.objects.filter(name__startswith="uploaded:").exists()
    folder.refresh_from_db()
    check_again(folder=folder, by=world.ida)
    record_check(report)  # of the check before: late
    request = request_of(folder)
    record_check(GameCheckReport(check=request.check, facts=FACTS, request=request.digest()))
    folder.refresh_from_db()
    form = f"/courses/{world.course.slug}/new-assignment/"
    page = client.get(form, {"game": folder.name}).content.decode()
    fields = form_with(page, "title") | {"title": ["Three"], "slug": ["three"]}
    assert fields["game"] == [folder.name]
    assert "play_with" not in fields
    made = client.post(form, fields | {"due_at": ["2099-01-01T12:00"]})
    assert made.status_code == 302, made.context["form"].errors
    assignment = Assignment.objects.get(slug="three")
    assert assignment.opponents == ["any/random_legal"]
    assert (assignment.play_with, assignment.audited_games) == ("nobody", 0)
    assert assignment.game_version == f"1-{folder.sha256[:16]}"
    GameFolder.objects.update(status=GameFolder.Status.REFUSED)
    with pytest.raises(ValidationError, match="no uploaded game of this name"):
        assignment.full_clean()


def of_folder(world: worlds.World, folder: GameFolder) -> Assignment:
    return create_assignment(
        course=world.course,
        by=world.ida,
        slug="three",
        title="Three",
        game=folder.name,
        options={"variant": "standard", "players": 2},
        play_with="nobody",
        audited_games=0,
        n_games=20,
        practice_games=4,
        due_at=world.assignment.due_at,
    )


def test_an_assignment_of_an_uploaded_game_says_so_and_sends_its_folder() -> None:
    world = worlds.make()
    folder = checked_folder(world.course, world.ida)
    assignment = of_folder(world, folder)
    client, address = signed_in(world.ada), f"/courses/{world.course.slug}/assignments/three/"
    page = client.get(address).content.decode()
    assert "Its rules\n" in page
    assert f"/games/{folder.sha256}/" in page
    staff = signed_in(world.ida)
    for page in ("teams/", "grade/confirm/", "leaderboard/", "edit/", "tournaments/", "grades/"):
        assert staff.get(f"{address}{page}").status_code == 200, page
    kit = client.get(f"{address}starter-kit/")
    with zipfile.ZipFile(io.BytesIO(kit.content)) as packed:
        assert json.loads(packed.read("three/rules.json"))["game"] == "tic_tac_toe"
        assert b"pip install GAME" in packed.read("three/README.md")
        assert b'"column": 0' in packed.read("three/example.json")
    submission = worlds.upload(replace(world, assignment=assignment), world.ada)
    evaluation = submission.evaluations.get(kind="smoke")
    request = EvaluationJobs(lambda *_: None).request_of(evaluation.jobs.get())
    assert (request.game, request.game_folder) == (folder.name, folder.sha256)
    assert request.game_facts == facts_digest(read_facts(FACTS))
    worlds.fail(evaluation, f"GameFault: {folder.name}: its rules hang")
    page = client.get(f"/submissions/{submission.pk}/").content.decode()
    assert "its rules hang" not in page
    evaluation.refresh_from_db()
    assert (evaluation.status, evaluation.verdict, evaluation.faults) == ("failed", "", 0)
    assert "its rules hang" in signed_in(world.ida).get(f"{address}teams/").content.decode()


WRONG = (
    ("a score is beyond it", {"score_range": [0, 1]}),
    ("does not give 2 scores", {"forfeits": [[0, 1]]}),
    ("lack the variant or the players", {"options": {"variant": "other", "players": 2}}),
    ("cannot be used", {"players": 99}),
    ("the option 'a b' has no name", {"options": {"variant": "standard", "players": 2, "a b": 1}}),
    ("cannot be shown", {"options": {"variant": "standard", "players": 2, "word": "\x1b[2J"}}),
    ("cannot be used", {"variant": "standard\n"}),
    (
        "is not for 2 players, the default",
        {"players": 1, "options": {"variant": "standard", "players": 1}, "forfeits": [[0]]},
    ),
)


@every("sentence, edit", WRONG)
def test_facts_that_contradict_themselves_are_a_fault_of_the_game(
    sentence: str, edit: dict[str, object]
) -> None:
    facts = json.loads(FACTS)
    facts["rules"][0] |= edit
    with pytest.raises(GameFault, match=sentence):
        read_facts(json.dumps(facts))


HOSTILE = """# Rules

* Take **one** card, as [the book](https://example.org/rules "p. 1") says.

| Card | Points |
| --- | ---: |
| ace | 11 |

### Scores

```html" onclick="x
<script>alert(1)</script>
```

<script>alert(2)</script> <img src=https://example.org/1.png onerror=alert(3)>
![a drawing](https://example.org/2.png) ![no](data:image/png;base64,AA)
[a](javascript:alert(4)) [b](&#106;avascript:alert(5)) [c](data:text/html,x) [d](//example.org)
[e](/accounts/logout/) <javascript:alert(6)> [f](https://example.org/"onmouseover="alert) &#x202e;
"""


def test_the_guide_of_a_game_is_markdown_that_harms_nobody() -> None:
    world = worlds.make()
    folder = checked_folder(world.course, world.ida, sha256="cd" * 32, guide=HOSTILE)
    address = f"/courses/{world.course.slug}/games/{folder.sha256}/"
    page = signed_in(world.ada).get(address).content.decode()
    begin = page.index("<h3>Rules</h3>")
    guide = page[begin : page.index("</section>", begin)]
    tags = set(re.findall(r"<[a-z][^>]*>", guide))
    assert tags == {
        *("<h3>", "<h4>", "<p>", "<ul>", "<li>", "<strong>", "<code>", '<pre tabindex="0">'),
        *('<div class="table" tabindex="0">', "<table>", "<thead>", "<tbody>", "<tr>", "<th>"),
        *("<td>", '<th class="n">', '<td class="n">'),
        '<a href="https://example.org/rules" title="p. 1" rel="nofollow noopener noreferrer">',
        '<a href="https://example.org/%22onmouseover=%22alert" rel="nofollow noopener noreferrer">',
    }
    assert "&lt;script&gt;alert(1)" in guide
    assert "a drawing" in guide
    assert "\u202e" not in guide


def test_a_title_from_an_upload_is_text_on_every_page() -> None:
    world = worlds.make()
    title = "<b>\u202eThree</b>"
    trio = {"variant": "trio", "players": 3}
    (rules,) = json.loads(FACTS)["rules"]
    three = rules | trio | {"options": trio, "forfeits": [[0, 0, 0]] * 3}
    folder = checked_folder(
        world.course,
        world.ida,
        sha256="ef" * 32,
        title=title,
        endings={"line": title},
        variant_titles={"standard": title, "trio": title},
        rules=[rules, three],
    )
    client, address = signed_in(world.ida), f"/courses/{world.course.slug}"
    form = f"{address}/new-assignment/"
    pages = [client.get(form, {"game": folder.name})]
    fields = form_with(pages[0].content.decode(), "title") | {"title": ["Three"], "slug": ["three"]}
    fields |= {"variant": ["trio"], "refresh": ["yes"]}
    htmx = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "id_variant"}
    pages.append(client.post(form, fields, **htmx))
    pages += [client.get(f"{address}/games/"), client.get(f"{address}/games/{folder.sha256}/")]
    for page in pages:
        html = page.content.decode()
        assert page.status_code == 200
        assert "<b>" not in html
        assert "\u202e" not in html
    assert "&lt;b&gt;" in pages[0].content.decode()


def test_a_check_is_sent_again_once_it_failed_or_had_no_answer_for_long() -> None:
    world = worlds.make()
    folder = upload_game(course=world.course, by=world.ida, filename="x.zip", data=zipped())
    first = request_of(folder)
    with pytest.raises(Refused, match="is being checked"):
        check_again(folder=folder, by=world.ida)
    check_again(folder=folder, by=world.ida, at=folder.uploaded_at + ANSWER_WITHIN)
    with pytest.raises(Refused, match="is being checked"):
        check_again(folder=folder, by=world.ida, at=folder.checked_at)
    request, looked_at = request_of(folder), GameFolder.objects.get()
    assert request != first
    record_check(GameCheckReport(check=request.check, facts=FACTS, request=request.digest()))
    with pytest.raises(Refused, match="has passed"):
        check_again(folder=looked_at, by=world.ida, at=folder.uploaded_at + 3 * ANSWER_WITHIN)
    assert GameFolder.objects.get().is_usable


def test_refused_games_make_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_folders, "MOST_FOLDERS", 2)
    world = worlds.make()
    kept = checked_folder(world.course, world.ida)
    upload = partial(upload_game, course=world.course, by=world.ida, filename="x.zip")
    first = upload(data=zipped())
    with pytest.raises(Refused, match="at most 2 uploaded games"):
        upload(data=zipped(("SIZE", "SIDE")))
    GameFolder.objects.filter(pk=first.pk).update(status=GameFolder.Status.REFUSED)
    second = upload(data=zipped(("SIZE", "SIDE")))
    assert set(world.course.game_folders.all()) == {kept, second}


def test_a_version_is_not_taken_without_its_grading() -> None:
    world = worlds.make()
    one, two = (checked_folder(world.course, world.ida, sha256=each * 32) for each in ("ab", "ba"))
    assignment = of_folder(world, one)
    submission = worlds.upload(replace(world, assignment=assignment), world.ada)
    submission.evaluations.update(kind="graded")
    under_way = GradingRun.objects.create(
        assignment=assignment, requested_by=world.ida, requested_at=timezone.now(), submissions=[]
    )
    with pytest.raises(Refused, match="being graded already"):
        grade_again(assignment=assignment, by=world.ida, game=two.name)
    assignment.refresh_from_db()
    graded = submission.evaluations.get(kind="graded")
    assert (assignment.game, graded.status) == (one.name, "queued")
    under_way.delete()
    client, address = signed_in(world.ida), "/courses/coop/assignments/three/grade/again/"
    told = "an upload keeps its mean with the present version"
    assert told not in client.get(address).content.decode()
    Assignment.objects.filter(pk=assignment.pk).update(counts="best")
    assert told in client.get(address).content.decode()
    assert grade_again(assignment=assignment, by=world.ida, game=two.name) is not None
    with pytest.raises(Refused, match="no such version"):  # a second click
        grade_again(assignment=assignment, by=world.ida, game=two.name)


def test_a_copy_of_a_course_has_its_games_and_an_imported_one_shows_their_results() -> None:
    world = worlds.make()
    folder = checked_folder(world.course, world.ida)
    of_folder(world, folder)
    plan = CopyPlan(title="Again", slug="again", term="", begins=date(2030, 1, 7))
    copy = copy_course(course=world.course, by=world.ida, plan=plan)
    assert copy.game_folders.get().is_usable
    copy.assignments.get(slug="three").require_installed_game()
    archive_course(course=world.course, by=world.ida)
    file = io.BytesIO()
    world.course.refresh_from_db()
    write_course(world.course, file, at=timezone.now())
    imported = import_course(file=file, by=world.ida, slug="imported").course
    page = signed_in(world.ida).get("/courses/imported/assignments/three/")
    assert "Tic-tac-toe" in page.content.decode()
    with pytest.raises(Refused, match="Upload the same folder again"):
        imported.assignments.get(slug="three").require_installed_game()


def test_students_upload_no_games_and_read_those_in_order_alone() -> None:
    world = worlds.make()
    with pytest.raises(NotAllowed):
        upload_game(course=world.course, by=world.ada, filename="x.zip", data=zipped())
    folder = checked_folder(world.course, world.ida)
    address = f"/courses/{world.course.slug}/games/{folder.sha256}/"
    assert "three in a line" in signed_in(world.ada).get(address).content.decode()
    GameFolder.objects.update(status=GameFolder.Status.FAILED)
    assert signed_in(world.ada).get(address).status_code == 404
    wrong = SimpleUploadedFile("rules.py", b"GAME = 1")
    page = signed_in(world.ida).post(f"/courses/{world.course.slug}/games/", {"file": wrong})
    assert (page.status_code, "is no zip archive" in page.content.decode()) == (422, True)
