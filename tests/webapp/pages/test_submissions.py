"""Uploading, watching, understanding: a submission's page and its live fragment."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from tests.support import world as worlds
from tests.support.pages import text_of
from tests.support.world import World
from webapp.accounts.models import User
from webapp.courses.models import Team
from webapp.submissions.models import Submission

pytestmark = pytest.mark.django_db

As = Callable[[User | None], Client]
ASSIGNMENT = "/courses/coop/assignments/hanabi/"
POLLS = "hx-get="


def send(client: Client, name: str = "agent.py", data: bytes = worlds.SOURCE) -> str:
    file = SimpleUploadedFile(name, data)
    response = client.post(ASSIGNMENT + "upload/", {"file": file}, follow=True)
    return text_of(response)


def page_of(client: Client, submission: Submission, rest: str = "") -> str:
    return text_of(client.get(f"/submissions/{submission.pk}/{rest}"))


def test_an_upload_leads_to_its_page(world: World, as_user: As) -> None:
    page = send(as_user(world.ada))
    assert "Submission 1" in page
    assert "Waiting for a grader" in page


def test_staff_are_told_who_of_a_team_has_uploaded(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    assert "Uploaded by" in page_of(as_user(world.ida), submission)
    assert "Uploaded by" not in page_of(as_user(world.ada), submission)


def test_a_refused_upload_says_why_and_stores_nothing(world: World, as_user: As) -> None:
    page = send(as_user(world.ada), "agent.zip", b"PK this is no archive")
    assert "This upload was not accepted. Nothing was stored." in page
    assert "agent.zip" in page
    assert not Submission.objects.exists()
    assert not Team.objects.exists()


def test_no_file_is_said_beside_the_field(world: World, as_user: As) -> None:
    page = text_of(as_user(world.ada).post(ASSIGNMENT + "upload/"))
    assert "Choose a file first." in page


@pytest.mark.slow
def test_beyond_the_quota_nothing_is_taken(as_user: As, db: None) -> None:
    world = worlds.make(uploads_per_day=1)
    client = as_user(world.ada)
    assert "1 of 1 upload left today" in text_of(client.get(ASSIGNMENT))
    send(client)
    page = send(client)
    assert "has made its 1 upload of today" in page
    assert Submission.objects.count() == 1


def test_strangers_cannot_upload(world: World, as_user: As) -> None:
    file = SimpleUploadedFile("agent.py", worlds.SOURCE)
    client = as_user(worlds.person("Dora Stranger"))
    assert client.post(ASSIGNMENT + "upload/", {"file": file}).status_code == 404


def test_hostile_file_names_are_shown_harmlessly(world: World, as_user: As) -> None:
    page = send(as_user(world.ada), "<img src=x onerror=alert(1)>\u202eyp.py")
    assert "<img src=x" not in page
    assert "\u202e" not in page


@pytest.mark.slow
def test_a_page_under_way_polls_and_says_where_it_is(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    client = as_user(world.ada)
    assert POLLS in page_of(client, submission)
    worlds.play(submission.evaluations.get())
    worlds.play(submission.evaluations.get(kind="practice"), upto=5)
    live = page_of(client, submission, "live/")
    assert POLLS in live
    assert "5 of 12 games" in live
    assert '<progress max="12" value="5"' in live


@pytest.mark.slow
def test_the_poller_stops_when_nothing_is_under_way(
    world: World, practised: Submission, as_user: As
) -> None:
    client = as_user(world.ada)
    assert POLLS not in page_of(client, practised, "live/")
    assert POLLS not in page_of(client, practised)


def test_the_poller_stops_at_a_rejected_upload(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.reject(submission.evaluations.get())
    assert POLLS not in page_of(as_user(world.ada), submission, "live/")


def test_the_assignments_list_of_submissions_is_live_while_anything_is_played(
    world: World, as_user: As
) -> None:
    live = f'hx-get="{ASSIGNMENT}submissions/"'
    submission = worlds.upload(world, world.ada)
    client = as_user(world.ada)
    for address in (ASSIGNMENT, ASSIGNMENT + "submissions/"):
        assert live in text_of(client.get(address))
    worlds.play(submission.evaluations.get(kind="smoke"))
    worlds.play(submission.evaluations.get(kind="practice"))
    assert live not in text_of(client.get(ASSIGNMENT + "submissions/"))


def test_a_page_that_polls_without_a_session_is_not_shown_the_sign_in_page(world: World) -> None:
    client = Client()
    polled = client.get(ASSIGNMENT + "submissions/", headers={"HX-Request": "true"})
    assert (polled.status_code, polled.content) == (401, b"")
    assert client.get(ASSIGNMENT).status_code == 302


def test_the_live_fragment_is_never_cached(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    response = as_user(world.ada).get(f"/submissions/{submission.pk}/live/")
    assert "no-store" in response["Cache-Control"]


def test_rejected_is_said_once(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.reject(submission.evaluations.get(kind="smoke"))
    page = page_of(as_user(world.ada), submission)
    assert page.lower().count(">rejected<") == 1


def test_an_agent_that_faults_is_not_simply_green(world: World, as_user: As) -> None:
    submission = worlds.submit_and_practise(world, world.ada, faults=(1, 2, 3, 4))
    practice = submission.evaluations.get(kind="practice")
    words = f"Accepted with faults: 4 of {practice.n_games} games"
    for address in (f"/submissions/{submission.pk}/", f"/evaluations/{practice.uuid}/", ASSIGNMENT):
        page = text_of(as_user(world.ada).get(address))
        assert f'<span class="badge warn" data-sign="!">{words}</span>' in page, address


def test_a_rejected_upload_shows_file_line_cause_and_source(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.reject(submission.evaluations.get())
    page = page_of(as_user(world.ada), submission)
    assert "Why it was rejected" in page
    assert "<code>agent.py</code>, line 4, column 9: invalid syntax &lt;b&gt;here&lt;/b&gt;" in page
    assert '<span class="at">▸   4  class First(Agent):</span>' in page


def test_an_error_names_the_file_as_the_student_called_it(world: World, as_user: As) -> None:
    send(as_user(world.ada), "my first try.py")
    submission = Submission.objects.get()
    worlds.reject(submission.evaluations.get())
    page = page_of(as_user(world.ada), submission)
    assert "<code>my first try.py</code>, line 4, column 9" in page
    assert "<code>agent.py</code>" not in page


def test_markup_in_a_build_log_is_shown_as_text(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.reject(submission.evaluations.get(), log="error: #error <script>alert(1)</script>")
    page = page_of(as_user(world.ida), submission)
    assert ">error: #error &lt;script&gt;alert(1)&lt;/script&gt;</pre>" in page
    assert "<script>alert(1)" not in page


def test_a_complaint_about_no_file_in_particular_needs_no_source(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get(), faults={0, 1, 2})
    page = page_of(as_user(world.ada), submission)
    assert ">All 3 games of the smoke test ended in a fault" in page


@pytest.mark.slow
def test_the_end_of_what_a_program_printed_is_in_view_and_all_of_it_unfolds(
    world: World, as_user: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "".join(f"line {number}\n" for number in range(300)) + "KeyError: 'R6'\n"
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", long)
    submission = worlds.submit_and_practise(world, world.ada, faults={3})
    page = page_of(as_user(world.ada), submission)
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
    world: World, as_user: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", TRACEBACK)
    submission = worlds.submit_and_practise(world, world.ada, faults={3})
    practice = submission.evaluations.get(kind="practice")
    for address in (f"/submissions/{submission.pk}/", f"/evaluations/{practice.uuid}/games/3/"):
        page = text_of(as_user(world.ada).get(address))
        box, _, rest = page.partition('<div class="note bad">')[2].partition("</div>")
        assert "<strong>agent.py:6</strong>, in <code>act</code>" in box
        assert "return observation.legal_actions[0]" in box
        printed, _, folded = rest.partition("<details>")
        assert "Traceback (most recent call last)" in printed
        assert "&quot;type&quot;" not in printed
        assert folded.index("What came back") < folded.index("What it was sent")


@pytest.mark.slow
def test_an_agent_that_failed_in_every_game_is_shown_the_line_of_its_source(
    world: World, as_user: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "HOSTILE_STDERR", TRACEBACK)
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get(), faults={0, 1, 2})
    page = page_of(as_user(world.ada), submission)
    rejected = page.partition('aria-labelledby="rejected"')[2].partition("</section>")[0]
    assert "<code>agent.py</code>, line 6: All 3 games" in rejected
    assert '<span class="at">▸   6          return observation.legal_actions[0]' in rejected


@pytest.mark.slow
def test_what_cannot_be_played_at_home_is_not_offered(world: World, as_user: As) -> None:
    rejected = worlds.upload(world, world.ada)
    worlds.reject(rejected.evaluations.get())
    assert "Play these games at home" not in page_of(as_user(world.ada), rejected)
    played = worlds.submit_and_practise(world, world.ada)
    assert "Play these games at home" in page_of(as_user(world.ada), played)


def test_an_agent_that_never_finished_a_game_is_given_no_mean(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get(), faults={0, 1, 2})
    page = page_of(as_user(world.ada), submission)
    assert "3 games were begun, and each ended with a fault." in page
    assert "0.00" not in page


@pytest.mark.slow
def test_endings_are_told_in_words(world: World, practised: Submission, as_user: As) -> None:
    practice = practised.evaluations.get(kind="practice")
    practice.results.update(ending="deck_out")
    client = as_user(world.ada)
    for address in ("", "games/", "games/0/"):
        page = text_of(client.get(f"/evaluations/{practice.uuid}/{address}"))
        assert "deck ran out" in page
        assert "deck_out" not in page


@pytest.mark.slow
def test_figures_come_with_their_interval_and_a_chart_with_words(
    world: World, practised: Submission, as_user: As
) -> None:
    practice = practised.evaluations.get(kind="practice")
    page = page_of(as_user(world.ada), practised)
    assert practice.mean is not None
    assert practice.high is not None
    assert f"{practice.mean:.2f} <small>± {practice.high - practice.mean:.2f}</small>" in page
    assert "Games by score. " in page
    assert "Charged time a turn: median" in page


@pytest.mark.slow
def test_points_are_on_the_pages_of_the_submission_and_of_its_graded_evaluation(
    world: World, practised: Submission, as_user: As
) -> None:
    practice = practised.evaluations.get(kind="practice")
    evaluation = worlds.grade(world, world.ada, agent="piers")
    points = f"<dt>points</dt><dd>{evaluation.grades.get().points.normalize():f}</dd>"
    for user in (world.ada, world.cleo):
        for address in (f"/submissions/{practised.pk}/", f"/evaluations/{evaluation.uuid}/"):
            assert points in text_of(as_user(user).get(address))
    page = text_of(as_user(world.ada).get(f"/evaluations/{practice.uuid}/"))
    assert "<dt>points" not in page


@pytest.mark.slow
def test_points_that_another_evaluation_replaced_are_called_so(
    world: World, practised: Submission, as_user: As
) -> None:
    first = worlds.grade(world, world.ada, agent="outer")
    worlds.grade(world, world.ada, agent="piers")
    page = text_of(as_user(world.ada).get(f"/evaluations/{first.uuid}/"))
    assert "points, replaced" in page
    assert "These points are not the team’s grade" in page


@pytest.mark.slow
def test_faults_come_with_turn_messages_stderr_and_the_command(world: World, as_user: As) -> None:
    submission = worlds.submit_and_practise(world, world.ada, faults={3, 4})
    page = page_of(as_user(world.ada), submission)
    for needed in (
        "in 2 games",
        "Turn 4 of",
        "seat 0: ended during the game: KeyError",
        "exit status 1",
        "What it was sent",
        "&quot;turn&quot;:4",
        "{&quot;type&quot;:&quot;action&quot;&lt;script&gt;",
        "Traceback &lt;script&gt;alert(1)&lt;/script&gt;",
        "firebox play agent.py --index 3 --variant standard --players 2",
    ):
        assert needed in page
    assert "\x1b" not in page
    assert "<script>alert" not in page


@pytest.mark.slow
def test_a_fault_of_very_many_games_lists_some_and_counts_the_rest(db: None, as_user: As) -> None:
    world = worlds.make(games=26)
    submission = worlds.submit_and_practise(world, world.ada, faults=range(0, 50, 2))
    practice = submission.evaluations.get(kind="practice")
    practice.results.update(
        fault_kind="crash", fault_seat=0, fault_turn=4, fault_detail="KeyError: 'R6'"
    )
    page = page_of(as_user(world.ada), submission)
    assert "in 26 games" in page
    assert "and 6 more:" in page


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    world: World, as_user: As, settings: Settings
) -> None:
    settings.MAX_UPLOAD_BYTES = 1000
    page = send(as_user(world.ada), data=b"x" * 1001)
    assert "at most 1000 are allowed" in page
    assert not Submission.objects.exists()


def test_a_request_larger_than_any_upload_is_turned_away_unread(
    client: Client, settings: Settings
) -> None:
    settings.MAX_UPLOAD_BYTES = 1000
    answer = client.post("/accounts/sign-in/", {"username": "x" * 70_000})
    assert answer.status_code == 413


@pytest.mark.slow
def test_a_failure_of_ours_is_called_ours(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.fail(submission.evaluations.get(), "secret path /etc/firebox")
    student = page_of(as_user(world.ada), submission)
    assert "Our machines failed, not your program" in student
    assert "secret path" not in student
    assert "secret path" in page_of(as_user(world.ida), submission)


def test_practice_can_be_asked_for_again(world: World, practised: Submission, as_user: As) -> None:
    client = as_user(world.ada)
    client.post(f"/submissions/{practised.pk}/practice/")
    assert practised.evaluations.filter(kind="practice").count() == 2
    page = client.get(f"/submissions/{practised.pk}/practice/")
    assert page.headers["Location"] == f"/submissions/{practised.pk}/"


@pytest.mark.slow
def test_how_much_practice_is_left_today_is_beside_the_button(as_user: As, db: None) -> None:
    world = worlds.make(practice_per_day=1)
    submission = worlds.submit_and_practise(world, world.ada)
    client = as_user(world.ada)
    assert "1 of 1 today left" in page_of(client, submission)
    client.post(f"/submissions/{submission.pk}/practice/")
    assert "Practise again" not in page_of(client, submission)
    worlds.play(submission.evaluations.filter(kind="practice").latest("pk"))
    page = page_of(client, submission, "live/")
    assert "<button disabled>Practise again</button>" in page
    assert "0 of 1 today left" in page
    address = f"/submissions/{submission.pk}/practice/"
    assert "used its 1 practice evaluation of" in text_of(client.post(address, follow=True))
    assert "Staff: not limited" in page_of(as_user(world.ida), submission)


def test_after_the_due_date_the_button_is_closed_where_practice_is(
    world: World, practised: Submission, as_user: As
) -> None:
    type(world.assignment).objects.update(
        opens_at="2020-01-01T00:00Z", due_at="2020-02-01T00:00Z", practice_after_due=False
    )
    assert "Over since the due date" in page_of(as_user(world.ada), practised)
    page = text_of(as_user(world.ada).get(ASSIGNMENT))
    assert "uploads are closed" in page
    assert 'type="file"' not in page


def test_others_cannot_ask_for_practice(world: World, practised: Submission, as_user: As) -> None:
    response = as_user(world.ben).post(f"/submissions/{practised.pk}/practice/")
    assert response.status_code == 404


def test_late_uploads_are_said_not_to_count(world: World, as_user: As) -> None:
    opens, due = "2020-01-01T00:00Z", "2020-02-01T00:00Z"
    type(world.assignment).objects.update(opens_at=opens, due_at=due)
    page = text_of(as_user(world.ada).get(ASSIGNMENT))
    assert "does not count for the grade" in page


@pytest.mark.parametrize("uploads", [1, 4])
def test_the_assignment_page_takes_the_same_queries_for_any_number_of_uploads(
    uploads: int, world: World, as_user: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(uploads):
        worlds.upload(world, world.ada)
    client = as_user(world.ada)
    with django_assert_num_queries(22):
        client.get(ASSIGNMENT)


@pytest.mark.slow
@pytest.mark.parametrize("faults", [2, 8])
def test_the_live_fragment_takes_the_same_queries_for_any_number_of_faults(
    faults: int, world: World, as_user: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    submission = worlds.submit_and_practise(world, world.ada, faults=set(range(faults)))
    client = as_user(world.ada)
    with django_assert_num_queries(31):
        client.get(f"/submissions/{submission.pk}/live/")


@pytest.mark.slow
@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_a_submission_without_a_smoke_test_stops_polling_and_offers_one(
    end: str, world: World, as_user: As
) -> None:
    submission = worlds.upload(world, world.ada)
    evaluation = submission.evaluations.get()
    if end == "failed":
        worlds.fail(evaluation)
    else:
        as_user(world.ida).post(f"/evaluations/{evaluation.uuid}/cancel/")
    client = as_user(world.ada)
    for rest in ("", "live/"):
        assert POLLS not in page_of(client, submission, rest)
        assert "Run the smoke test again" in page_of(client, submission, rest)
    page = text_of(client.post(f"/submissions/{submission.pk}/smoke-test/", follow=True))
    assert "The smoke test is queued." in page
    assert POLLS in page
    assert "Run the smoke test again" not in page


def test_others_cannot_have_a_submission_tested(world: World, as_user: As) -> None:
    submission = worlds.upload(world, world.ada)
    address = f"/submissions/{submission.pk}/smoke-test/"
    assert as_user(world.ben).post(address).status_code == 404


def test_without_the_store_the_cause_of_a_rejection_is_still_said(
    world: World, as_user: As, settings: Settings, tmp_path: Path
) -> None:
    submission = worlds.upload(world, world.ada)
    worlds.reject(submission.evaluations.get())
    settings.STORE_URL = str(tmp_path / "another")
    page = page_of(as_user(world.ada), submission)
    assert "line 4, column 9: invalid syntax" in page
    assert "The line itself cannot be shown at the moment." in page


def test_a_store_that_does_not_answer_is_said_and_stores_nothing(
    world: World, as_user: As, settings: Settings, tmp_path: Path
) -> None:
    tmp_path.joinpath("full").write_text("a file where the store's directory should be")
    submission = worlds.upload(world, world.ada)
    settings.STORE_URL = str(tmp_path / "full")
    client = as_user(world.ada)
    assert "Storage is unavailable" in send(client)
    assert Submission.objects.count() == 1
    response = client.get(f"/submissions/{submission.pk}/archive/")
    assert response.status_code == 503
    assert "Storage is unavailable" in text_of(response)


def test_who_was_signed_out_during_an_upload_comes_back_to_the_form(world: World) -> None:
    client = Client()
    address = "/courses/coop/assignments/hanabi/upload/"
    sent = client.post(address, {"file": SimpleUploadedFile("agent.py", b"x = 1\n")})
    client.force_login(world.ada)
    page = client.get(parse_qs(urlsplit(sent.headers["Location"]).query)["next"][0], follow=True)
    assert page.request["PATH_INFO"] == "/courses/coop/assignments/hanabi/"
    assert "You had been signed out, and nothing was sent." in text_of(page)
    assert not Submission.objects.exists()
