"""Why a submission was rejected, or failed: its page names file, line and cause."""

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from tests.webapp.pages.submitting import ASSIGNMENT, page_of, send
from webapp.grading.submissions.models import Submission

pytestmark = pytest.mark.django_db


def test_an_agent_that_faults_is_not_simply_green(world: World) -> None:
    submission = worlds.submit_and_practise(world, world.ada, faults=(1, 2, 3, 4))
    practice = submission.evaluations.get(kind="practice")
    words = f"Accepted with faults: 4 of {practice.n_games} games"
    headline = text_of(signed_in(world.ada).get(f"/submissions/{submission.pk}/"))
    assert 'class="verdict-line warn"' in headline
    assert "Accepted with faults: 4 of 12 practice games" in headline
    page = text_of(signed_in(world.ada).get(ASSIGNMENT))
    assert f'<span class="badge warn" data-sign="!">{words}</span>' in page


def test_a_rejected_upload_shows_file_line_cause_and_source_once(
    world: World, settings: Settings, tmp_path: Path
) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.reject(submission.evaluations.get())
    page = page_of(signed_in(world.ada), submission)
    assert "Why it was rejected" in page
    assert "<code>agent.py</code>, line 4, column 9: invalid syntax &lt;b&gt;here&lt;/b&gt;" in page
    assert '<span class="at">▸   4  class First(Agent):</span>' in page
    assert page.count("First test") == 1, "the step, which was not reached"
    assert "could not be started" not in page
    client = signed_in(world.ada)
    for page in (page_of(client, submission), text_of(client.get(ASSIGNMENT))):
        assert page.lower().count(">rejected<") == 1
    settings.STORE_URL = str(tmp_path / "another")
    page = page_of(signed_in(world.ada), submission)
    assert "line 4, column 9: invalid syntax" in page
    assert "The line itself cannot be shown at the moment." in page


def test_an_error_names_the_file_as_the_student_called_it(world: World) -> None:
    send(signed_in(world.ada), "my first try.py")
    submission = Submission.objects.get()
    worlds.reject(submission.evaluations.get())
    page = page_of(signed_in(world.ada), submission)
    assert "<code>my first try.py</code>, line 4, column 9" in page
    assert "<code>agent.py</code>" not in page


def test_markup_in_a_build_log_is_shown_as_text(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.reject(submission.evaluations.get(), log="error: #error <script>alert(1)</script>")
    page = page_of(signed_in(world.ida), submission)
    assert ">error: #error &lt;script&gt;alert(1)&lt;/script&gt;</pre>" in page
    assert "<script>alert(1)" not in page


def test_faults_in_all_games_of_the_first_test_are_told_once(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get(), faults={0, 1, 2})
    page = page_of(signed_in(world.ada), submission)
    assert page.count("ended with a fault") == 1
    assert "One cause for all 3 faults:" in page
    assert "Why it was rejected" not in page
    assert "Lowest scores" not in page
    submission.evaluations.get().results.all().delete()
    page = page_of(signed_in(world.ada), submission)
    assert ">All 3 games of the first test ended with a fault" in page


@pytest.mark.slow
def test_the_end_of_what_a_program_printed_is_in_view_and_all_of_it_unfolds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "".join(f"line {number}\n" for number in range(300)) + "KeyError: 'R6'\n"
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", long)
    submission = worlds.submit_and_practise(world, world.ada, faults={3})
    page = page_of(signed_in(world.ada), submission)
    shown, _, rest = page.partition("All 301 lines that it printed")
    assert "KeyError: &#x27;R6&#x27;\n" not in shown.partition("What it printed, the end")[0]
    assert ">line 281\n" in shown
    assert "line 280\n" not in shown
    assert "line 0\n" in rest


TRACEBACK = (
    "thinking\n"
    "The agent failed during turn 4.\n"
    "Traceback (most recent call last):\n"
    '  File "agent.py", line 6, in act\n'
    "    return observation.legal_actions[0]\n"
    "KeyError: 'R6'\n"
)


@pytest.mark.slow
def test_a_fault_shows_its_own_line_then_what_was_printed_and_the_messages_folded(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", TRACEBACK)
    submission = worlds.submit_and_practise(world, world.ada, faults={3})
    practice = submission.evaluations.get(kind="practice")
    for address in (f"/submissions/{submission.pk}/", f"/evaluations/{practice.uuid}/games/3/"):
        page = text_of(signed_in(world.ada).get(address))
        box, _, rest = page.partition('<div class="note bad">')[2].partition("</div>")
        assert "<strong>agent.py:6</strong>, in <code>act</code>" in box
        assert "return observation.legal_actions[0]" in box
        printed, _, folded = rest.partition("<details>")
        assert "Traceback (most recent call last)" in printed
        assert "&quot;type&quot;" not in printed
        assert folded.index("Its reply") < folded.index("The message that it received")


@pytest.mark.slow
def test_an_agent_that_failed_in_every_game_is_shown_the_line_of_its_source(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", TRACEBACK)
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get(), faults={0, 1, 2})
    page = page_of(signed_in(world.ada), submission)
    assert "Rejected: KeyError: &#x27;R6&#x27;, agent.py line 6" in page
    fault = page.partition('<div class="note bad">')[2].partition("</div>")[0]
    assert "<strong>agent.py:6</strong>, in <code>act</code>" in fault
    assert '<span class="at">▸   6  ' in fault
    assert "return observation.legal_actions[0]" in fault
    assert fault.index("return observation") < fault.index("ended during the game: KeyError")
    step = page.partition("<strong>Fix line 6</strong>")[2]
    assert (
        f'editor/?submission={submission.pk}&amp;file=agent.py&amp;line=6">Fix line 6</a>' in step
    )
    lead = f"/submissions/{submission.pk}/source/?file=agent.py#line-6"
    step = page_of(signed_in(world.ida), submission).partition("<strong>Fix line 6</strong>")[2]
    assert f'href="{lead}">Show line 6</a>' in step
    source = text_of(signed_in(world.ada).get(lead))
    assert '<span id="line-6">    6          return observation.legal_actions[0]</span>' in source
    missing = signed_in(world.ada).get(f"/submissions/{submission.pk}/source/?file=../x")
    assert missing.status_code == 404


FORBIDDEN = (
    "The agent failed during turn 4. It was here (innermost call last):\n"
    '  File "agent.py", line 6, in act\n'
    "    threading.Thread(target=print).start()\n"
    "It starts a thread.\n"
)


@pytest.mark.parametrize(
    ("stderr", "why"),
    [
        (FORBIDDEN, "starts a thread, agent.py line 6"),
        ("killed\n", "starts a thread or a process, agent.py line 7"),
    ],
)
def test_a_forbidden_act_is_named_in_the_banner_with_its_line(
    stderr: str, why: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", stderr)
    source = worlds.SOURCE + b"std::thread tells(print);  // as compiled programs start theirs\n"
    submission = worlds.upload(world, world.ada, data=source)
    smoke = worlds.play(submission.evaluations.get(), faults={0, 1, 2})
    smoke.results.update(fault_kind="forbidden")
    page = page_of(signed_in(world.ada), submission)
    assert f"Rejected: {why}<" in page
    assert f'One cause for all 3 faults: <span class="break">{why}</span>' in page


@pytest.mark.slow
def test_faults_come_with_turn_messages_stderr_and_the_command(world: World) -> None:
    submission = worlds.submit_and_practise(world, world.ada, faults={3, 4})
    page = page_of(signed_in(world.ada), submission)
    for needed in (
        "One cause for all 2 faults:",
        "Turn 4 of",
        "seat 1: ended during the game: KeyError",
        "exit status 1",
        "The message that it received",
        "&quot;turn&quot;:4",
        "{&quot;type&quot;:&quot;action&quot;&lt;script&gt;",
        "Traceback &lt;script&gt;alert(1)&lt;/script&gt;",
        "firebox play agent.py --index 3 --variant standard --players 2",
    ):
        assert needed in page
    assert "\x1b" not in page
    assert "<script>alert" not in page


@pytest.mark.slow
def test_a_fault_of_very_many_games_lists_some_and_counts_the_rest(db: None) -> None:
    world = worlds.make(games=26)
    submission = worlds.submit_and_practise(world, world.ada, faults=range(0, 50, 2))
    practice = submission.evaluations.get(kind="practice")
    practice.results.update(
        fault_kind="crash", fault_seat=0, fault_turn=4, fault_detail="KeyError: 'R6'"
    )
    page = page_of(signed_in(world.ada), submission)
    assert "and 6 more:" in page


@pytest.mark.slow
def test_a_failure_of_ours_is_called_ours(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.fail(submission.evaluations.get(), "secret path /etc/firebox")
    student = page_of(signed_in(world.ada), submission)
    assert "Our machines failed, not your program" in student
    assert "secret path" not in student
    assert "secret path" in page_of(signed_in(world.ida), submission)
