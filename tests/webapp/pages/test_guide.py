"""The guide: nothing is missing from it, and its examples run."""

import argparse
import io
import json
import re
import subprocess
import sys
import tomllib
import typing
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from firebox import Context, adapter, hanabi
from grader import wire
from grader.cli.main import parser as command_line
from grader.deals import PRACTICE_SECRET, deal_seed
from grader.games import GAMES, game_from_options
from grader.interfaces import starter_kit as starter_kits
from grader.players import LocalPlayer
from grader.records import AgentLimits, FaultKind
from grader.referee import Referee, Reply, Turn, TurnKind, referee
from grader.runner import play_game
from webapp.evaluations.models import Status, Verdict
from webapp.guide.api import api_tables
from webapp.guide.docstrings import members
from webapp.guide.examples.cautious import Cautious
from webapp.guide.pages import EXAMPLES, PAGES
from webapp.submissions.models import SubmissionStatus

pytestmark = pytest.mark.django_db

HANABI = game_from_options("hanabi", {"variant": "standard", "players": 2})
SEED = deal_seed(PRACTICE_SECRET, 0)


def text_of(slug: str) -> str:
    page = Client().get(f"/guide/{slug}/").content.decode()
    article = page[page.index("<article") : page.index("</article>")]
    return unescape(re.sub(r"<[^>]+>", "", article))


# --- Completeness ----------------------------------------------------------------------------


def test_the_index_leads_to_every_page() -> None:
    page = Client().get("/guide/").content.decode()
    assert all(f'href="/guide/{entry.slug}/"' in page for entry in PAGES)


def test_a_page_that_does_not_exist_is_not_found() -> None:
    assert Client().get("/guide/nothing/").status_code == 404


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.slug)
def test_every_page_marks_itself_as_current(entry: object) -> None:
    slug = entry.slug  # type: ignore[attr-defined]
    page = Client().get(f"/guide/{slug}/").content.decode()
    assert f'href="/guide/{slug}/" aria-current="page"' in page


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_is_explained_in_the_graders_own_words(kind: FaultKind) -> None:
    text = text_of("verdicts")
    assert kind.value in text
    assert members(FaultKind)[kind.name] in text


def test_every_status_and_verdict_is_explained() -> None:
    text = text_of("verdicts")
    for kind in (Status, Verdict):
        for member in kind:
            assert not member.value or member.value.capitalize() in text


@pytest.mark.parametrize("status", SubmissionStatus)
def test_every_status_of_a_submission_is_explained(status: SubmissionStatus) -> None:
    text = text_of("verdicts")
    assert members(SubmissionStatus)[status.name] in text
    assert status.value.replace("_", "-").capitalize() in text


def test_both_reasons_for_a_rejection_are_told() -> None:
    text = text_of("verdicts")
    assert "could not be compiled or loaded, or every game of its smoke test ended by" in text
    assert "3 faults in a row end a smoke test early" in text


def test_every_exit_status_of_the_interface_is_explained_to_students() -> None:
    text = text_of("verdicts")
    statuses = {name: getattr(adapter, name) for name in vars(adapter) if name.startswith("EXIT_")}
    assert {70, 71, 72, 73} <= set(statuses.values())
    for name, status in statuses.items():
        assert f"exit status {status}{plain(members(adapter)[name])}" in text


def plain(docstring: str) -> str:
    return docstring.replace("``", "").replace("*", "")


AGENT_SIDE = [Context, hanabi.Observation, hanabi.Hand, hanabi.Knowledge, hanabi.Card,
              *hanabi.ACTION_TYPES, *typing.get_args(hanabi.Event)]  # fmt: skip


@pytest.mark.parametrize("cls", AGENT_SIDE, ids=lambda cls: cls.__name__)
def test_every_field_of_what_an_agent_is_given_and_returns_has_a_sentence(cls: type) -> None:
    (table,) = [each for each in api_tables() if each.name.partition("(")[0] == cls.__name__]
    meanings = {row.signature.partition("(")[0]: row.meaning for row in table.rows}
    public = {name for name in (*cls.__annotations__, *vars(cls)) if not name.startswith("_")}
    assert public - {"from_wire"} <= meanings.keys()
    assert all(meaning.endswith(".") for meaning in meanings.values())
    text = text_of("python")
    assert all(plain(meaning) in text for meaning in meanings.values())


def test_every_limit_is_there_with_its_value() -> None:
    text, limits = text_of("limits"), AgentLimits()
    for name in AgentLimits.__dataclass_fields__:
        assert name in text
        assert f"{getattr(limits, name):,}" in text


def test_every_option_and_variant_of_the_rules_is_there() -> None:
    text = text_of("rules")
    for name in (*HANABI.options, *GAMES["hanabi"].variants()):
        assert name in text


def test_every_message_and_field_of_the_wire_is_there() -> None:
    text = text_of("protocol")
    for turn in turns(referee(HANABI, SEED)):
        for name in (*turn.message, *turn.message.get("observation", ())):
            assert name in text, name


def test_every_command_and_option_is_there() -> None:
    text = text_of("command")
    for name, parser in commands():
        assert f"firebox {name}" in text, name
        for action in parser._actions:
            for option in action.option_strings:
                assert option in text or option in ("-h", "--help"), f"{name} {option}"


def commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    (group,) = (
        action
        for action in command_line()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    yield from group.choices.items()


# --- Examples --------------------------------------------------------------------------------


def turns(play: Referee) -> Iterator[Turn]:
    """All turns of a game in which everybody takes the first legal action."""
    answer: Reply | None = None
    try:
        while True:
            turn = play.send(answer) if answer else next(play)
            yield turn
            answer = first_legal(turn)
    except StopIteration:
        return


def first_legal(turn: Turn) -> Reply | None:
    if turn.kind is TurnKind.END:
        return None
    return Reply(turn.message["legal"][0] if turn.kind is TurnKind.ACT else None, 0)


def test_the_transcript_is_what_the_referee_says() -> None:
    deal, *lines = (EXAMPLES / "hanabi.transcript").read_text().splitlines()
    assert deal == f"# deal {SEED.hex()}"
    assert list(transcript(lines)) == lines


def transcript(lines: list[str]) -> Iterator[str]:
    """Play the transcript's replies as seat 0; seat 1 plays what it was told to be a 1."""
    replies = iter([line[2:] for line in lines if line.startswith("←")])
    play = referee(HANABI, SEED)
    turn = next(play)
    while (turn.seat, turn.kind) != (0, TurnKind.END):
        if turn.seat == 0 and (line := next(replies, None)):
            yield f"→ {wire.encode(turn.message).decode().rstrip()}"
            yield f"← {line}"
            turn = play.send(reply_of(turn, line))
        elif turn.number == 1:
            turn = play.send(Reply({"type": "play", "card": 0}, 0))
        elif turn.number == 3:
            yield "…"
            turn = play.send(first_legal(turn))
        else:
            turn = play.send(first_legal(turn))
    yield f"→ {wire.encode(turn.message).decode().rstrip()}"


def reply_of(turn: Turn, line: str) -> Reply:
    if turn.kind is TurnKind.START:
        wire.parse_ready(line.encode())
        return Reply(None, 0)
    return Reply(wire.parse_reply(line.encode(), turn.number), 0)


def test_the_example_agent_plays_well_enough_to_be_an_example() -> None:
    scores = [
        play_game(
            HANABI, deal_seed(PRACTICE_SECRET, index), [LocalPlayer(Cautious) for _ in range(2)]
        ).scores[0]
        for index in range(20)
    ]
    assert sum(scores) / len(scores) > 10


def test_the_example_without_the_package_answers_every_message() -> None:
    asked = [turn for turn in turns(referee(HANABI, SEED)) if turn.seat == 0]
    lines = "".join(json.dumps(dict(turn.message), default=list) + "\n" for turn in asked)
    done = subprocess.run(
        [sys.executable, EXAMPLES / "plain_wire.py"],
        input=lines, capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    replies = done.stdout.splitlines()
    wire.parse_ready(replies[0].encode())
    for turn, line in zip(asked[1:-1], replies[1:], strict=True):
        assert wire.parse_reply(line.encode(), turn.number) in turn.message["legal"]


@pytest.mark.parametrize("slug", ["start", "command", "grades"])
def test_commands_in_the_guide_are_well_formed(slug: str) -> None:
    page = unescape(Client().get(f"/guide/{slug}/").content.decode())
    lines = re.findall(r"<code>(firebox [^<]+ [^<]+)</code>\s*</pre>", page)
    assert lines
    for line in lines:
        command_line().parse_args(line.split()[1:])


def test_the_figures_of_the_usual_scheme_are_computed() -> None:
    text = text_of("grades")
    rows = re.findall(r"^(\d+\.\d\d)(\d+\.\d\d)$", text, re.MULTILINE)
    assert ("14.99", "0.00") in rows
    assert ("15.00", "100.00") in rows
    assert ("20.50", "105.00") in rows


def test_the_limits_of_uploads_are_the_archives_own() -> None:
    assert "1 MiB packed, 5 MiB unpacked and 200 files" in text_of("limits")


def test_instructors_are_told_that_points_are_not_held_back() -> None:
    assert "Students see their points at once." in text_of("instructors")


# --- The command, which the site does not hand out --------------------------------------------


@pytest.mark.parametrize("slug", ["start", "command", "instructors"])
def test_students_and_instructors_are_told_where_the_command_comes_from(slug: str) -> None:
    text = text_of(slug)
    assert "your course gives" in text or "Ask its operator" in text
    assert "not offer" in text or "nor is it offered" in text


def test_the_starter_kit_has_the_library_and_not_the_command() -> None:
    kit = starter_kits.starter_kit("hanabi", HANABI.options)
    with zipfile.ZipFile(io.BytesIO(kit)) as files:
        names = files.namelist()
    assert "firebox/__init__.py" in names
    assert not [name for name in names if name.startswith(("grader/", "sandbox/"))]


def test_what_the_guide_says_the_command_fetches_is_what_it_needs() -> None:
    needed = tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]
    runbook = Path("deploy/RUNBOOK.md").read_text()
    assert len(needed) == 3
    assert "three small libraries" in text_of("command")
    assert all(f"`{name.partition('>')[0]}`" in runbook for name in needed)
