"""The page on the protocol: its messages, its transcripts, its programs."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from grader.core import wire
from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.games import game_from_options
from grader.core.referee import Referee, Reply, Turn, TurnKind, referee
from grader.interfaces import INTERFACES
from grader.interfaces import starter_kit as starter_kits
from tests.support.processes import PATIENCE_SECONDS
from tests.webapp.guide.reading import text_of
from webapp.pages.guide.interfaces import PROGRAMS
from webapp.pages.guide.pages import EXAMPLES

pytestmark = pytest.mark.django_db
HANABI = game_from_options("hanabi", {"variant": "standard", "players": 2})
SEED = deal_seed(REFERENCE_SECRET, 0)


def test_every_message_and_field_of_the_wire_is_there() -> None:
    text = text_of("protocol")
    for turn in turns(referee(HANABI, SEED)):
        for name in (*turn.message, *turn.message.get("observation", ())):
            assert name in text, name
    assert "refused" in text
    assert f"The first {wire.MAX_WHY_CHARACTERS} characters of the reason are kept." in text


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_speak_the_protocol_are_on_its_page(name: str) -> None:
    shape, text = INTERFACES[name].upload, text_of("protocol")
    assert name in text
    assert all(suffix in text for suffix in shape.suffixes)
    assert not shape.entry or shape.entry in text


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_programs_of_the_protocols_page_are_those_of_the_kits(name: str) -> None:
    files = starter_kits.starter_files("hanabi", interface=name)
    endings = INTERFACES[name].upload.suffixes
    (program,) = [text for file, text in files.items() if file.endswith(endings)]
    assert program.decode().rstrip() in text_of("protocol")


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
    """Play the transcript's replies as seat 0; seat 1 plays the card that a hint called a 1."""
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


def test_the_example_without_the_package_answers_every_message() -> None:
    asked = [turn for turn in turns(referee(HANABI, SEED)) if turn.seat == 0]
    lines = "".join(json.dumps(dict(turn.message), default=list) + "\n" for turn in asked)
    program = starter_kits.starter_files("hanabi", interface="stdio-python")["main.py"].decode()
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=lines, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True,
    )  # fmt: skip
    replies = done.stdout.splitlines()
    wire.parse_ready(replies[0].encode())
    for turn, line in zip(asked[1:-1], replies[1:], strict=True):
        assert wire.parse_reply(line.encode(), turn.number) in turn.message["legal"]
