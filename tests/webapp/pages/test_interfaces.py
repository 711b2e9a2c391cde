"""Pages about agents in several languages: uploading them, their builds, how they were played."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from grader.core.records import Evidence
from grader.interfaces import starter_kit as starter_kits
from tests.support import languages
from tests.support import world as worlds
from tests.support.interfaces import GAMES_OF
from tests.support.languages import JAVA, SEVERAL, Languages
from tests.support.pages import read, signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from tests.webapp.pages.assignment_form import FORM
from webapp.flow.pipeline import update_assignment
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.source import source_file
from webapp.pages.courses.forms.upload import UploadForm
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.django_db

NEW = "/courses/coop/new-assignment/"


@pytest.fixture
def story(db: None) -> Languages:
    """Ada writes in C++ and Java, Ben for the module hanabi."""
    return copy_of(languages.tell)


def upload(client: Client, address: str, name: str, data: bytes, **fields: str) -> str:
    file = SimpleUploadedFile(name, data)
    response = client.post(address + "upload/", {"file": file, **fields}, follow=True)
    return text_of(response)


# --- The assignment's form --------------------------------------------------------------------


def post(client: Client, address: str, **changes: object) -> str:
    return text_of(client.post(address, {**FORM, **changes}, follow=True))


@pytest.mark.slow
def test_a_new_assignment_is_in_python_unless_other_languages_are_chosen(world: World) -> None:
    page = read(signed_in(world.ida), NEW)
    fitting = [name for name, games in GAMES_OF.items() if "hanabi" in games]
    assert page.count('name="interfaces"') == len(fitting)
    assert 'value="python" id="id_interfaces_0" checked' in page
    assert "Western Australia rules for Java, package hanabAI" in page
    assert "gets 256 MiB of memory and 10 s to start on top" in page
    page = post(signed_in(world.ida), NEW, interfaces=["uwa-java"])
    complaint = page.index("Choose Western Australia rules under Rules.")
    assert page.index('name="variant"') < complaint < page.index('name="players"')
    assert "draw_position is" not in page
    post(
        signed_in(world.ida),
        NEW,
        interfaces=["python", "uwa-java"],
        interface_options=["legacy_first_state"],
        mode="seat",
        variant="uwa",
        players="4",
        checks_student_number="on",
    )
    made = Assignment.objects.get(slug="second")
    assert made.interfaces == ["python", "uwa-java"]
    assert made.interface_options == ["legacy_first_state"]
    assert (made.mode, made.checks_student_number) == ("seat", True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"interfaces": []}, "Choose at least one."),
        ({"interfaces": ["uwa-java"]}, "Choose Western Australia rules under Rules."),
        ({"interfaces": ["uwa-java", "gcc-cpp"]}, "but draw_position is end"),
        ({"interfaces": ["gcc-cpp"], "variant": "standard", "players": "3"}, "has 2 players"),
        ({"mode": "team"}, "Not possible with Python class."),
        ({"interface_options": ["legacy_first_state"]}, "is not an option of these interfaces"),
    ],
)
def test_an_inconsistency_is_reported_at_its_field(
    world: World, changes: dict[str, Any], words: str
) -> None:
    page = post(signed_in(world.ida), NEW, **changes)
    assert words in page
    assert "Not saved." in page


@pytest.mark.slow
def test_editing_keeps_the_order_and_what_is_fixed(story: Languages) -> None:
    client, assignment = signed_in(story.world.ida), story.world.assignment
    Assignment.objects.filter(pk=assignment.pk).update(
        interfaces=["ensta-python", "gcc-cpp", "python"]
    )
    same = {"slug": "hanabi", "variant": "standard", "n_games": "12",
            "interfaces": ["python", "gcc-cpp", "ensta-python"]}  # fmt: skip
    page = post(
        client, SEVERAL + "edit/", **same, checks_student_number="on", scheme_reason="Milder"
    )
    assert "Assignment saved." in page
    assignment.refresh_from_db()
    assert assignment.interfaces == ["ensta-python", "gcc-cpp", "python"]
    assert assignment.checks_student_number
    for changes in ({"interfaces": ["python"]}, {"mode": "seat"}):
        refused = post(
            client, SEVERAL + "edit/", **{**same, "checks_student_number": "on"} | changes
        )
        assert "so this cannot be changed" in refused
    assert "so this cannot be changed" in post(client, SEVERAL + "edit/", **same)


# --- Uploading --------------------------------------------------------------------------------


def test_one_interface_needs_no_choice_and_several_are_told_apart(story: Languages) -> None:
    page = read(signed_in(story.world.ada), JAVA)
    assert 'accept=".java,.zip"' in page
    assert "Agent: Java, package hanabAI" in page
    assert "Name file and class with your student number" in page
    assert 'name="interface"' not in page
    assert "256 MiB of memory and 10 s to start on top" in page
    page = read(signed_in(story.world.ada), SEVERAL)
    assert 'accept=".py,.h,.hpp,.zip"' in page
    assert '<option value="" selected>recognise from the sources</option>' in page
    assert "<li>C++, Player.h: One <code>.h</code> file" in page
    page = read(signed_in(story.world.ada), SEVERAL)
    assert '<a href="/guide/gcc-cpp/">C++, Player.h' in page
    rejected = read(signed_in(story.world.ada), f"/submissions/{story.rejected.pk}/")
    assert f'<a href="/guide/{story.rejected.interface}/">What to upload' in rejected
    assert "Class that plays" in read(signed_in(story.world.ada), SEVERAL)
    assert "agent_class" not in UploadForm(assignment=Assignment(interfaces=["gcc-cpp"])).fields


@pytest.mark.slow
def test_a_chosen_interface_reaches_the_service(story: Languages) -> None:
    client = signed_in(story.world.ada)
    upload(client, SEVERAL, "mine.py", worlds.SOURCE, interface="ensta-python")
    assert Submission.objects.latest("pk").interface == "ensta-python"
    upload(client, SEVERAL, "mine.py", worlds.SOURCE)
    assert Submission.objects.latest("pk").interface == "python"


def test_refusals_of_the_interfaces_stand_beside_the_form(story: Languages) -> None:
    page = upload(signed_in(story.world.ada), SEVERAL, "notes.txt", b"hello")
    assert "Nothing was stored." in page
    assert "is a source, name it" in page
    written = {"interface": "ensta-python", "agent_class": "no name"}
    page = upload(signed_in(story.world.ada), SEVERAL, "m.py", worlds.SOURCE, **written)
    assert "is not the name of a class" in page
    before = Submission.objects.count()
    page = upload(
        signed_in(story.world.ada), SEVERAL, "m.py", worlds.SOURCE, interface="cs221-python"
    )
    assert "Select a valid choice" in page
    assert Submission.objects.count() == before


@pytest.mark.slow
def test_a_missing_student_number_is_entered_on_the_profile(story: Languages) -> None:
    client, world = signed_in(story.world.ben), story.world
    assert "Enter it on your profile page" in upload(
        client, JAVA, "Agent10000009.java", languages.BROKEN
    )
    place = world.course.enrolments.get(user=world.ben)
    address = f"/courses/coop/people/{place.pk}/number/"
    assert address in read(client, "/accounts/profile/")
    client.post(address, {"student_number": "10000009"})
    assert address not in read(client, "/accounts/profile/")
    page = upload(client, JAVA, "Agent10000009.java", languages.BROKEN)
    assert "Submission 1" in page


# --- Starter kits -----------------------------------------------------------------------------


def test_there_is_a_starter_kit_for_each_interface(
    story: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def kit(game: str, options: object, *, folder: str, interface: str) -> bytes:
        asked.append((game, folder, interface))
        return b"kit"

    monkeypatch.setattr(starter_kits, "starter_kit", kit)
    client = signed_in(story.world.ada)
    page = read(client, SEVERAL)
    for name in story.world.assignment.interfaces:
        assert f"{SEVERAL}starter-kit/{name}/" in page
        response = client.get(f"{SEVERAL}starter-kit/{name}/")
        assert f"coop-hanabi-{name}-starter.zip" in response["Content-Disposition"]
    assert client.get(SEVERAL + "starter-kit/").content == b"kit"
    assert [interface for _, _, interface in asked] == [
        "python", "gcc-cpp", "ensta-python", "python",
    ]  # fmt: skip


@pytest.mark.slow
def test_an_unavailable_kit_is_reported_as_missing(
    story: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object, **__: object) -> bytes:
        raise LookupError("no kit")

    monkeypatch.setattr(starter_kits, "starter_kit", none)
    response = signed_in(story.world.ada).get(JAVA + "starter-kit/uwa-java/")
    assert response.status_code == 404
    assert "no starter kit for agents in this yet: Java" in text_of(response)
    assert signed_in(story.world.ada).get(JAVA + "starter-kit/python/").status_code == 404


# --- What a build said ------------------------------------------------------------------------


def test_a_compile_error_has_its_lines_and_a_good_builds_notes_are_told_as_notes(
    story: Languages,
) -> None:
    page = read(signed_in(story.world.ada), f"/submissions/{story.rejected.pk}/")
    assert "<code>Agent10000009.java</code>, line 10, column 80: &#x27;;&#x27; expected" in page
    assert "▸   9          int slot = firstPlayable(s);" in page
    assert "symbol:   method firstPlayable(hanabAI.State)" in page
    assert "Java, package hanabAI (University of Western Australia)" in page
    page = read(signed_in(story.world.ada), f"/submissions/{story.noted.pk}/")
    assert "A note on how it was built" in page
    assert "<code>Card.h</code>: not used: the engine&#x27;s own file is" in page
    assert "g++: 1 file" in page
    assert "Result of the check" not in page
    assert source_file(story.noted, "Player.h") is not None
    assert source_file(story.noted, "Nothing.h") is None


@pytest.mark.slow
def test_the_line_that_java_does_not_print_is_shown_from_the_sources(
    story: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    traced = "java.lang.Error: x\n\tat agents.Agent10000009.doAction(Agent10000009.java:9)\nx\n"
    evidence = Evidence(sent="{}", received="", stderr=traced, exit="exit status 70")
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", evidence.stderr)
    world = story.world
    Submission.objects.filter(pk=story.rejected.pk).update(status="received")
    java = World(**{**vars(world), "assignment": story.java})
    submission = worlds.upload(
        java, world.ada, filename="Agent10000009.java", data=languages.BROKEN + b"\n"
    )
    worlds.play(submission.evaluations.get(kind=Kind.SMOKE), faults={0})
    page = read(
        signed_in(world.ada), f"/evaluations/{submission.evaluations.get(kind='smoke').uuid}/"
    )
    assert "<strong>Agent10000009.java:9</strong>, in <code>doAction</code>" in page
    assert "▸   9          int slot = firstPlayable(s);" in page


# --- Boards and evaluations -------------------------------------------------------------------


def test_board_evaluation_and_csv_name_interfaces_and_modes_where_they_differ(
    story: Languages,
) -> None:
    page = read(signed_in(story.world.ada), SEVERAL + "leaderboard/")
    assert "C++, Player.h" in page
    assert "Python, module hanabi" in page
    assert "One process plays all seats." in page
    lines = read(signed_in(story.world.ada), SEVERAL + "leaderboard.csv").splitlines()
    assert lines[0].endswith("Verdict,Interface,Mode,Finished at")
    assert any(",ensta-python,team," in line for line in lines)
    assert any(",gcc-cpp,seat," in line for line in lines)
    shared = read(signed_in(story.world.ben), f"/evaluations/{story.shared.uuid}/")
    assert "One process plays all seats." in shared
    assert "Python, module hanabi" in shared
    single = read(signed_in(story.world.ada), f"/evaluations/{story.single.uuid}/")
    assert "One process plays all seats." not in single
    lines = read(signed_in(story.world.ida), SEVERAL + "grades.csv").splitlines()
    assert "Lost,Faults,Points,Status,Interface,Mode,Evaluation" in lines[0]
    assert any(",graded,ensta-python,team," in line for line in lines)


@pytest.mark.slow
def test_a_board_with_one_interface_does_not_name_it(world: World, ada_graded: Evaluation) -> None:
    page = read(signed_in(world.ada), SEVERAL + "leaderboard/")
    assert "Python class" not in page
    assert "team mode" not in page


@pytest.mark.slow
def test_losses_are_a_share_of_the_games(world: World, practised: Submission) -> None:
    grade = worlds.grade(world, world.ada, faults={0, 1, 2})
    client = signed_in(world.ada)
    assert "3 <small>of 12 (25%)</small>" in read(client, f"/evaluations/{grade.uuid}/")
    assert '25%<span class="unit"> lost</span>' in read(client, SEVERAL + "leaderboard/")


def test_an_assignment_in_one_process_says_so_beside_its_rules(story: Languages) -> None:
    update_assignment(
        assignment=story.java,
        by=story.world.ida,
        interfaces=["ensta-python"],
        interface_options=[],
        options={"variant": "ensta", "players": 3},
        mode="team",
    )
    assert "3, all of them your agent in one process" in read(signed_in(story.world.ada), JAVA)
